import type { CompileOptions } from "./compile.js";
import type { JsonObject } from "./json.js";
import type { Budget } from "./limits.js";
import type { Place } from "./place.js";
import type { Find } from "./registry.js";

/** A keyword while it is compiled. Its value is as the dialect says: that was seen to before. */
export interface Site {
  readonly keyword: string;
  readonly place: Place;
  /** The keywords that have a meaning here. */
  readonly schema: JsonObject;
  readonly options: CompileOptions;
  /** For what compiling takes. */
  readonly budget: Budget;
  /** What a keyword holds, perhaps not compiled yet. */
  readonly held: (keyword: string) => readonly Place[];
  /** What a reference leads to, perhaps not compiled yet. */
  readonly find: Find;
}
