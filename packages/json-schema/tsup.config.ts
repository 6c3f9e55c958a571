import { library } from "../../tsup.base.js";

export default library(["src/index.ts", "src/defaults/index.ts", "src/formats/index.ts", "src/meta-schemas/index.ts"]);
