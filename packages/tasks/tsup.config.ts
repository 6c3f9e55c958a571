import { library } from "../../tsup.base.js";

export default library(["src/index.ts", "src/server.ts", "src/client.ts"]);
