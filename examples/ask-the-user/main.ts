// A tool asks twice, with work in between that is done once, and its users answer: in a session, and without one.
import { answers } from "@parlance/client";
import { createServer, questions } from "@parlance/server";
import { connectInMemory } from "@parlance/testing";
import { createToolRegistry, tool } from "@parlance/tool-registry";

let held = 0;

const book = tool({
  name: "book",
  description: "Books a table",
  run: async (_, call) => {
    const size = await call.elicit("size", "For how many?", { people: { type: "integer", minimum: 1 } });
    if (size.action !== "accept") return "Nothing was booked";
    const table = await call.once("table", () => `table ${++held}`);
    const sure = await call.elicit("sure", `Book ${table}?`, { yes: { type: "boolean", default: true } });
    return sure.content?.yes ? `${table} is booked for ${size.content.people}` : "Nothing was booked";
  },
});

const server = createServer({
  info: { name: "restaurant", version: "1.0.0" },
  features: [createToolRegistry([book]), questions()],
});

const user = answers(
  {
    form: ({ message, schema, defaults }, { name }) => {
      console.log(`  ${name} asks: ${message}`);
      return {
        action: "accept",
        content: "people" in schema.properties ? { people: 2 } : { yes: defaults["yes"] === true },
      };
    },
  },
  { name: "the restaurant" },
);

for (const era of ["stateless", "handshake"] as const) {
  const client = await connectInMemory(server, { era, answers: user });
  console.log(`${client.server.version}:`);
  const { content } = await client.callTool("book");
  console.log(`  ${content[0]?.type === "text" ? content[0].text : ""}`);
  await client.close();
}
await server.close();
if (held !== 2) throw new Error(`each call should hold one table, and ${held} are held`);
