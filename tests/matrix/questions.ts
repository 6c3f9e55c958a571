import { type AnyTool, tool } from "@parlance/tool-registry";

const told = ({ action, content }: { readonly action: string; readonly content?: unknown }): string =>
  JSON.stringify({ action, content });

const words = (text: string) => ({
  messages: [{ role: "user", content: { type: "text", text } } as const],
  maxTokens: 10,
});

/** What asks the caller, a tool for each way of asking. */
export function questionTools(): readonly AnyTool[] {
  let worked = 0;
  return [
    tool({
      name: "ask",
      description: "Has a form filled in",
      run: async (_, call) =>
        told(
          await call.elicit("who", "Who are you?", {
            name: { type: "string" },
            color: { type: "string", oneOf: [{ const: "r", title: "Red" }], default: "r" },
            sure: { type: "boolean", default: true },
          }),
        ),
    }),
    tool({
      name: "visit",
      description: "Has a page visited",
      run: async (_, call) => {
        const url = "https://example.com/consent";
        return told(await call.elicit("consent", "Agree there", { url, done: async () => undefined }));
      },
    }),
    tool({
      name: "sample",
      description: "Has a model say something",
      run: async (_, call) => JSON.stringify((await call.sample("said", words("Say it"))).content),
    }),
    tool({
      name: "use",
      description: "Has a model use a tool",
      run: async (_, call) => {
        const tools = [{ name: "look", inputSchema: { type: "object" } as const }];
        return JSON.stringify((await call.sample("used", { ...words("Look"), tools })).content);
      },
    }),
    tool({
      name: "roots",
      description: "Asks where it may work",
      run: async (_, call) => JSON.stringify(await call.roots("where")),
    }),
    tool({
      name: "both",
      description: "Asks twice at once",
      run: async (_, call) => {
        const [roots, { model }] = await Promise.all([call.roots("where"), call.sample("said", words("Say it"))]);
        return `${roots.length} roots, ${model}`;
      },
    }),
    tool({
      name: "once",
      description: "Works between two questions, and counts how often it did",
      run: async (_, call) => {
        const [first] = await call.roots("where");
        const count = await call.once("work", () => ++worked);
        const { model } = await call.sample("said", words(`Work on ${first?.name}`));
        return `${first?.name}, ${model}: worked ${count} of ${worked}`;
      },
    }),
  ];
}
