// The tools, with zod schemas made once.
import * as z from "zod";
import { echoDescription, records, textResult } from "../programs/tools.mjs";

const echo = {
  name: "echo",
  description: echoDescription,
  input: z.object({ text: z.string() }),
  run: async ({ text }) => textResult(text),
};
const finders = records.map(({ name, description }) => ({
  name,
  description,
  input: z.object({
    query: z.string().describe("What to look for"),
    limit: z.number().int().min(1).max(100).optional(),
    tags: z.array(z.string()).optional(),
  }),
  run: async () => textResult("found"),
}));

export const tools = finders.length > 0 ? finders : [echo];
