import { jsonSchema } from "@parlance/json-schema";
import { RpcError } from "@parlance/jsonrpc";
import { taskTool } from "@parlance/tasks/server";
import { type AnyTool, PublicError, tool } from "@parlance/tool-registry";

const workMs = 1_000;

/** Waits as work would: until it is done, or told to stop. */
function work(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop);
  });
}

/** The suite answers both questions with all that any of them might ask for. */
const both = { name: { type: "string" }, confirm: { type: "boolean", optional: true } } as const;

/** What the suite calls by name of the tasks extension. */
export const taskTools: readonly AnyTool[] = [
  tool({
    name: "greet",
    description: "Greets at once",
    input: jsonSchema<{ name: string }>({
      type: "object",
      properties: { name: { type: "string" } },
      required: ["name"],
    }),
    run: ({ name }) => `Hello, ${name}!`,
  }),
  taskTool({
    name: "slow_compute",
    description: "Takes some seconds",
    task: "optional",
    input: jsonSchema<{ seconds: number; label?: string }>({
      type: "object",
      properties: { seconds: { type: "number", minimum: 0, maximum: 60 }, label: { type: "string" } },
      required: ["seconds"],
    }),
    when: ({ seconds }) => seconds > 0,
    run: async ({ seconds, label }, call) => {
      await call.progress(0, seconds, "computing");
      await work(seconds * 1_000, call.signal);
      return `${label ?? "The computation"} took ${seconds} s`;
    },
  }),
  taskTool({
    name: "failing_job",
    description: "Fails after a while, as a tool does",
    task: "required",
    run: async (_input, call) => {
      await work(workMs, call.signal);
      throw new PublicError("The job failed");
    },
  }),
  taskTool({
    name: "protocol_error_job",
    description: "Fails after a while, by an error of the protocol",
    task: "required",
    run: async (_input, call) => {
      await work(workMs, call.signal);
      throw new RpcError(-32_603, "The job broke");
    },
  }),
  taskTool({
    name: "confirm_delete",
    description: "Asks before it deletes",
    task: "required",
    input: jsonSchema<{ filename: string }>({
      type: "object",
      properties: { filename: { type: "string" } },
      required: ["filename"],
    }),
    run: async ({ filename }, call) => {
      const { content } = await call.elicit("confirm", `Delete ${filename}?`, { confirm: { type: "boolean" } });
      return content?.confirm === true ? `${filename} is deleted` : `${filename} is kept`;
    },
  }),
  taskTool({
    name: "multi_input",
    description: "Asks two questions at once",
    task: "required",
    run: async (_input, call) => {
      const [one, two] = await Promise.all([
        call.elicit("one", "The first name?", both),
        call.elicit("two", "The second name?", both),
      ]);
      return `${one.content?.name} and ${two.content?.name}`;
    },
  }),
  taskTool({
    name: "test_tool_with_task",
    description: "Asks for a name, and then greets in a task",
    task: "required",
    before: async (_input, call) => call.elicit("user_name", "What is your name?", { name: { type: "string" } }),
    run: (_input, _call, { content }) => `Hello, ${content?.name}!`,
  }),
];
