import { RpcError, rpcCodes } from "@parlance/jsonrpc";
import { clientWith, type Tool, type ToolCall, type ToolReturn } from "@parlance/tool-registry";
import { tasksId } from "../model.js";
import { beginningOf } from "./begun.js";
import { checkLimit } from "./limit.js";

/**
 * A tool whose calls may become tasks.
 * @stable
 */
export interface TaskTool<I = Record<string, never>, O = unknown, P = undefined> extends Omit<Tool<I, O>, "run"> {
  /** `"optional"`: clients that take no tasks wait for the result. `"required"`: they are refused. */
  readonly task: "optional" | "required";
  /** Which calls become a task, where the client takes one. Default: all. */
  readonly when?: ((input: I) => boolean) | undefined;
  /**
   * What comes before the task and is part of the call: to look up what `run` needs, and to ask what has to be known first.
   * Like any tool that asks, it is run again for each round of answers.
   */
  readonly before?: ((input: I, call: ToolCall) => P | Promise<P>) | undefined;
  /** How long the task may take, in milliseconds; `null`: without end. Default: that of `createTasks`. */
  readonly ttlMs?: number | null | undefined;
  /** How long a client should wait between two looks, in milliseconds. Default: that of `createTasks`. */
  readonly pollIntervalMs?: number | undefined;
  /**
   * Does the work. In a task `call.signal` aborts when it is cancelled or its time is over, `call.progress` becomes its
   * status message, and `call.elicit` and the rest ask while it runs, without running it again.
   */
  run(input: I, call: ToolCall, prepared: P): ToolReturn<O> | Promise<ToolReturn<O>>;
}

const needsTasks = /* @__PURE__ */ clientWith({ extensions: { [tasksId]: {} } });

/**
 * Writes a tool whose calls may become tasks, for a server with `createTasks()` among its features. Where there are no
 * tasks it is a tool like any other.
 * @throws LocalError `INVALID_ARGUMENT` for a time that is none
 * @stable
 */
export function taskTool<I = Record<string, never>, O = unknown, P = undefined>(
  written: TaskTool<I, O, P>,
): Tool<I, O> {
  const { task, when, before, ttlMs, pollIntervalMs, run, needs, ...tool } = written;
  if (ttlMs !== undefined && ttlMs !== null) checkLimit(`ttlMs of "${tool.name}"`, ttlMs);
  if (pollIntervalMs !== undefined) checkLimit(`pollIntervalMs of "${tool.name}"`, pollIntervalMs);
  const isRequired = task === "required";
  return {
    ...tool,
    needs: isRequired ? (call) => needs?.(call) ?? needsTasks(call) : needs,
    run: async (input: I, call: ToolCall): Promise<ToolReturn<O>> => {
      const beginning = beginningOf(call);
      if (isRequired && beginning === undefined) {
        throw new RpcError(
          rpcCodes.invalidRequest,
          `tool "${tool.name}" runs as a task only, which there is none of here`,
        );
      }
      // without `before` nothing is prepared, and `P` is nothing
      const prepared = (await before?.(input, call)) as P;
      const isTask = beginning !== undefined && (isRequired || when === undefined || when(input));
      if (!isTask) return run(input, call, prepared);
      const task = await beginning.begin(call, { ttlMs, pollIntervalMs });
      try {
        return await run(input, task, prepared);
      } catch (error) {
        // work that stops because it was told to has not failed
        if (task.signal.aborted) throw new RpcError(rpcCodes.internalError, "the task has ended", { cause: error });
        throw error;
      }
    },
  };
}
