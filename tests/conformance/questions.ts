import { jsonSchema } from "@parlance/json-schema";
import { type Call, type Prompt, prompt } from "@parlance/server";
import { type AnyTool, clientWith, tool } from "@parlance/tool-registry";

const text = (words: string) => [{ role: "user", content: { type: "text", text: words } }] as const;
const asked = "test_input_required_result";

/** Whatever was answered, in words. */
const told = (answer: { readonly action: string; readonly content?: unknown }): string =>
  `${answer.action}: ${JSON.stringify(answer.content)}`;

const askName = (call: Call) => call.elicit("user_name", "What is your name?", { name: { type: "string" } });

/** State that has something to carry from the first round on. */
const begin = (call: Call): Promise<string> => call.once("begun", () => "begun");

async function confirm(call: Call): Promise<string> {
  await begin(call);
  const { content } = await call.elicit("confirm", "Go on?", { ok: { type: "boolean" } });
  return content?.ok ? "state-ok" : "state-ok, and refused";
}

/** What asks, of what the suite calls by name. */
export const questionTools: readonly AnyTool[] = [
  tool({
    name: "test_sampling",
    description: "Has a model say something",
    input: jsonSchema<{ prompt: string }>({
      type: "object",
      properties: { prompt: { type: "string" } },
      required: ["prompt"],
    }),
    run: async ({ prompt: words }, call) =>
      JSON.stringify((await call.sample("said", { messages: text(words), maxTokens: 100 })).content),
  }),
  tool({
    name: "test_elicitation",
    description: "Has the user fill in a form",
    input: jsonSchema<{ message: string }>({
      type: "object",
      properties: { message: { type: "string" } },
      required: ["message"],
    }),
    run: async ({ message }, call) =>
      told(await call.elicit("user", message, { username: { type: "string" }, email: { type: "string" } })),
  }),
  tool({
    name: "test_elicitation_sep1034_defaults",
    description: "Has a form with defaults",
    run: async (_, call) =>
      told(
        await call.elicit("defaults", "Is this right?", {
          name: { type: "string", default: "John Doe" },
          age: { type: "integer", default: 30 },
          score: { type: "number", default: 95.5 },
          status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
          verified: { type: "boolean", default: true },
        }),
      ),
  }),
  tool({
    name: "test_elicitation_sep1330_enums",
    description: "Has a form with every kind of choice",
    run: async (_, call) => {
      const titled = ["value1", "value2", "value3"].map((value) => ({ const: value, title: `The ${value}` }));
      const options = ["option1", "option2", "option3"];
      return told(
        await call.elicit("choices", "Which?", {
          untitledSingle: { type: "string", enum: options },
          titledSingle: { type: "string", oneOf: titled },
          legacyEnum: { type: "string", enum: ["opt1", "opt2"], enumNames: ["One", "Two"] },
          untitledMulti: { type: "array", items: { type: "string", enum: options } },
          titledMulti: { type: "array", items: { anyOf: titled } },
        }),
      );
    },
  }),
  tool({
    name: "test_streaming_elicitation",
    description: "Needs a client that can be asked",
    needs: clientWith({ elicitation: {} }),
    run: async (_, call) => told(await askName(call)),
  }),
  tool({ name: `${asked}_elicitation`, description: "Asks", run: async (_, call) => told(await askName(call)) }),
  tool({
    name: `${asked}_sampling`,
    description: "Has a model answer",
    run: async (_, call) => {
      const messages = text("What is the capital of France?");
      return JSON.stringify((await call.sample("capital_question", { messages, maxTokens: 100 })).content);
    },
  }),
  tool({
    name: `${asked}_list_roots`,
    description: "Asks for roots",
    run: async (_, call) => JSON.stringify(await call.roots("client_roots")),
  }),
  tool({ name: `${asked}_request_state`, description: "Keeps state", run: (_, call) => confirm(call) }),
  tool({ name: `${asked}_tampered_state`, description: "Keeps state", run: (_, call) => confirm(call) }),
  tool({
    name: `${asked}_multiple_inputs`,
    description: "Asks three things at once",
    run: async (_, call) => {
      await begin(call);
      const [who, said, roots] = await Promise.all([
        askName(call),
        call.sample("greeting", { messages: text("Greet somebody"), maxTokens: 50 }),
        call.roots("client_roots"),
      ]);
      return `${told(who)}, ${said.model}, ${roots.length} roots`;
    },
  }),
  tool({
    name: `${asked}_multi_round`,
    description: "Asks twice",
    run: async (_, call) => {
      await begin(call);
      const first = await call.elicit("step1", "Your name?", { name: { type: "string" } });
      const second = await call.elicit("step2", "Your color?", { color: { type: "string" } });
      return `${told(first)}, ${told(second)}`;
    },
  }),
  tool({
    name: `${asked}_capabilities`,
    description: "Asks what the client can answer",
    run: async (_, call) => {
      if (call.caller.capabilities.elicitation !== undefined) return told(await askName(call));
      return (await call.sample("said", { messages: text("Say something"), maxTokens: 50 })).model;
    },
  }),
];

export const questionPrompts: readonly Prompt[] = [
  prompt({
    name: `${asked}_prompt`,
    description: "Asks before it is a prompt",
    get: async (_, call) => {
      const { content } = await call.elicit("user_context", "About what?", { context: { type: "string" } });
      return `Tell me about ${content?.context ?? "anything"}`;
    },
  }),
];
