import { listen } from "@parlance/transport-http/node";
import { checkBoth, createTestHandler } from "./bundle.js";

const handler = createTestHandler();
const { url, close } = await listen(handler);
console.log(JSON.stringify(await checkBoth(handler, url)));
await close();
