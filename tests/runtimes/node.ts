import { listen } from "@parlance/transport-http/node";
import { createTestHandler, runChecks } from "./bundle.js";

const handler = createTestHandler();
const { url, close } = await listen(handler);
console.log(JSON.stringify(await runChecks(handler, url)));
await close();
