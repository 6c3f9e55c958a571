import { library } from "../../tsup.base.js";

export default library([
  "src/index.ts",
  "src/abort.ts",
  "src/brand.ts",
  "src/codec.ts",
  "src/respond.ts",
  "src/timer.ts",
]);
