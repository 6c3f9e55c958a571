// The tools that every contestant serves: `echo`, or BENCH_TOOLS tools that look up records.
const count = Number(process.env.BENCH_TOOLS ?? 0);

export const echoDescription = "Gives back the text that it was sent.";

export const echoSchema = {
  type: "object",
  properties: { text: { type: "string" } },
  required: ["text"],
};

export const records = Array.from({ length: count }, (_, index) => ({
  name: `find_in_${String(index).padStart(5, "0")}`,
  description: `Finds the records of collection ${index} that match a query.`,
}));

/** A new object each time, as if each tool had been written by itself. */
export const recordSchema = () => ({
  type: "object",
  properties: {
    query: { type: "string", description: "What to look for" },
    limit: { type: "integer", minimum: 1, maximum: 100 },
    tags: { type: "array", items: { type: "string" } },
  },
  required: ["query"],
});

export const textResult = (text) => ({ content: [{ type: "text", text }] });
