import { type JsonObject, RpcError } from "@parlance/jsonrpc";
import { type CallToolResult, isJsonObject } from "@parlance/protocol-versions";
import { callTool, type LocalCall, listTools, type ToolRegistry } from "@parlance/tool-registry";
import { say } from "./line.js";
import { resultText } from "./result-text.js";
import { safeNames } from "./safe-name.js";

/**
 * A tool as the APIs of models describe it.
 * @stable
 */
export interface ModelTool {
  /** 1 to 64 characters out of `A–Z a–z 0–9 _ -`, and the same in each run. */
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of the arguments, as the server gave it; always with a `type`, which such APIs ask for. */
  readonly parameters: JsonObject;
  /**
   * Calls it with what the model gave: an object or JSON text; other text goes as `{ input: text }`. A tool that fails is a
   * result that says so.
   * @throws the signal's reason when it aborts
   */
  call(args?: JsonObject | string, call?: LocalCall): Promise<ModelToolResult>;
}

/**
 * What a tool answered.
 * @stable
 */
export interface ModelToolResult {
  /** For the model: the texts, joined by line ends, and a word for each image, sound or link. */
  readonly text: string;
  readonly isError: boolean;
  /** What the tool answered, whole; absent when it could not be called. */
  readonly result?: CallToolResult | undefined;
}

/**
 * The tools of a registry for the API of a model, under names that such APIs take.
 * @param call what is known of the caller: it decides which tools there are
 * @stable
 */
export function toModelTools(registry: ToolRegistry, call?: LocalCall): readonly ModelTool[] {
  const definitions = listTools(registry, call);
  const names = safeNames(definitions.map(({ name }) => name));
  return definitions.map(({ name, title, description, inputSchema }) => ({
    name: names.get(name) ?? name,
    // a server may list anything, and one that is no text would cost a model all of its tools
    description: [description, title].find((text) => typeof text === "string") ?? "",
    parameters: "type" in inputSchema ? inputSchema : { type: "object", ...inputSchema },
    call: async (args = {}, own = call) => {
      try {
        const result = await callTool(registry, name, argumentsOf(args), own);
        return { text: resultText(result), isError: result.isError === true, result };
      } catch (error) {
        if (own?.signal?.aborted === true || !(error instanceof RpcError)) throw error;
        return { text: say(error), isError: true };
      }
    },
  }));
}

function argumentsOf(args: JsonObject | string): JsonObject {
  if (typeof args !== "string") return args;
  if (args.trim() === "") return {};
  try {
    const parsed: unknown = JSON.parse(args);
    if (isJsonObject(parsed)) return parsed;
  } catch {
    // no JSON, so it is text that is meant
  }
  return { input: args };
}
