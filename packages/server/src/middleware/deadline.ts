import { LocalError } from "@parlance/jsonrpc";
import { isPromise } from "@parlance/jsonrpc/respond";
import { type Call, changedCall, type Outcome } from "@parlance/protocol-versions";
import type { FeatureMiddleware } from "../feature-set.js";
import { checkCount } from "./check.js";
import { toolError, toolOf } from "./tool-call.js";

/**
 * How long tools may take.
 * @stable
 */
export interface DeadlineOptions {
  /** Milliseconds for every tool that is not in `tools`; `Infinity` is no limit. */
  readonly ms: number;
  /** Milliseconds for single tools, by name; `Infinity` is no limit. */
  readonly tools?: Readonly<Record<string, number>> | undefined;
}

/** The longest a timer can wait. */
const longestMs = 2 ** 31 - 1;

/**
 * Ends the call of a tool that takes too long: its `call.signal` aborts with a `TIMEOUT`, and its caller reads a result
 * with `isError` that says so. A tool that does not heed its signal runs on, and what it comes to is dropped.
 * Each round of a call that asks its caller has the whole time, since waiting for an answer is not the tool's doing.
 * @throws LocalError `INVALID_ARGUMENT` when a time is not a whole number of milliseconds, 1 or more
 * @stable
 */
export function deadline(options: DeadlineOptions): FeatureMiddleware {
  const limits = new Map(Object.entries(options.tools ?? {}));
  checkCount("ms", options.ms, 1, "milliseconds");
  for (const [name, ms] of limits) checkCount(`tools[${JSON.stringify(name)}]`, ms, 1, "milliseconds");
  return (next) => (call) => {
    const tool = toolOf(call);
    if (tool === undefined) return next(call);
    const ms = limits.get(tool) ?? options.ms;
    return ms > longestMs ? next(call) : within(ms, tool, call, next);
  };
}

function within(
  ms: number,
  tool: string,
  call: Call,
  next: (call: Call) => Outcome | Promise<Outcome>,
): Outcome | Promise<Outcome> {
  const ending = new AbortController();
  const outcome = next(changedCall(call, { signal: ending.signal }));
  if (!isPromise(outcome)) return outcome;
  const cancel = (): void => ending.abort(call.signal.reason);
  if (call.signal.aborted) cancel();
  else call.signal.addEventListener("abort", cancel, { once: true });
  return new Promise((resolve, reject) => {
    const text = `${tool} did not finish within ${ms} ms`;
    const timer = setTimeout(() => {
      ending.abort(new LocalError("TIMEOUT", text, { details: { tool, timeoutMs: ms } }));
      resolve(toolError(text));
    }, ms);
    const over = (): void => {
      clearTimeout(timer);
      call.signal.removeEventListener("abort", cancel);
    };
    outcome.then(
      (settled) => {
        over();
        resolve(settled);
      },
      (error: unknown) => {
        over();
        reject(error);
      },
    );
  });
}
