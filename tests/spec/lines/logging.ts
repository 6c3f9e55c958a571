import { lines, type SpecLine } from "../line.js";

/** Group LOG: log messages for the client. */
export const logging: readonly SpecLine[] = lines("server/utilities/logging", [
  ["LOG-01", "All", "who logs says so"],
  ["LOG-02", "All", "eight levels, in their order"],
  ["LOG-03", "L", "a session sets the least severe level it wants"],
  ["LOG-04", "L", "until then the server chooses"],
  ["LOG-05", "L", "a level is one session's and no other's"],
  ["LOG-06", "L", "a level that is none is refused"],
  ["LOG-07", "M", "a request that wants no messages gets none"],
  ["LOG-08", "M", "one that does gets them before its response"],
  ["LOG-09", "M", "and on its own stream only"],
  ["LOG-10", "M", "a level that is none is refused"],
  ["LOG-11", "M", "there is no session to set a level for"],
  ["LOG-12", "All", "what is not for its reader is taken out"],
  ["LOG-13", "All", "messages are bounded in number"],
  ["LOG-15", "M", "none are asked for that nobody wants"],
]);
