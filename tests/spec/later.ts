/** Lines of the groups in `lines.ts` that need a part which is not here yet, by that part. A line leaves this table when its test arrives. */
export const laterLines: Readonly<Record<string, readonly string[]>> = {
  listening: ["RSC-14", "CAN-18"],
  "a server with pages of its own": ["ELI-24", "ELI-38"],
  "tasks of 2025-11-25": ["PRG-12", "CAN-06"],
  "a terminal that shows what servers say": ["SEC-20"],
  "authorization by OAuth": ["SEC-01", "SEC-05", "SEC-06", "SEC-07", "SEC-08", "SEC-09", "SEC-13", "SEC-16"],
  "the host": ["TOOL-08", "TOOL-29", "TOOL-40"],
  "progress that comes too fast is coalesced": ["PRG-09"],
};
