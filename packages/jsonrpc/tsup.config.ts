import { library } from "../../tsup.base.js";

const subpaths = ["src/abort.ts", "src/brand.ts", "src/codec.ts", "src/respond.ts", "src/timer.ts"];

export default library(["src/index.ts", "src/parts.ts"], ["src/index.ts", ...subpaths]);
