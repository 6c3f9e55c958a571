import { type Call, changedCall } from "@parlance/protocol-versions";

/** How a call becomes a task. */
export interface Beginning {
  /** Opens the task. @returns the call as the work has it */
  begin(
    call: Call,
    options: { readonly ttlMs?: number | null | undefined; readonly pollIntervalMs?: number | undefined },
  ): Promise<Call>;
}

// A property of the call, not a map beside it: whoever stands between passes on a changed copy of the call.
const beginningKey: unique symbol = Symbol("task");

/** The call, which may become a task. */
export function withBeginning(call: Call, beginning: Beginning): Call {
  return Object.defineProperty(changedCall(call, {}), beginningKey, { value: beginning, enumerable: true });
}

/** `undefined`: the call is answered with its result. */
export function beginningOf(call: Call & { readonly [beginningKey]?: Beginning | undefined }): Beginning | undefined {
  return call[beginningKey];
}
