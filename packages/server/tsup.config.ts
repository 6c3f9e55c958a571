import { library } from "../../tsup.base.js";

export default library(["src/index.ts", "src/compose.ts", "src/middleware.ts", "src/node.ts"]);
