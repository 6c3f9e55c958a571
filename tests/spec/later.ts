/** Lines of the groups in `lines.ts` that need a part which is not here yet, by that part. A line leaves this table when its test arrives. */
export const laterLines: Readonly<Record<string, readonly string[]>> = {
  "a server with pages of its own": ["ELI-24", "ELI-38"],
  "a warning for embedded resources of nobody": ["TOOL-35"],
  "the host": ["TOOL-08", "TOOL-29", "TOOL-40"],
  "validation of a server's schemas by the client": ["TOOL-42"],
};
