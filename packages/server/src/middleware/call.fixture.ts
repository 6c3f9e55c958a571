import { type Call, type Outcome, type ProtocolVersion, serverEras } from "@parlance/protocol-versions";

const newest = serverEras()[0]?.versions[0] as ProtocolVersion;

export const done: Outcome = { type: "complete", result: { content: [] } };

/** A call of a tool, unless `change` says otherwise. */
export function toolCall(change: Partial<Call> = {}): Call {
  const call: Partial<Call> = {
    method: "tools/call",
    params: { name: "dice" },
    meta: {},
    version: newest,
    signal: new AbortController().signal,
    caller: { info: { name: "tester", version: "1" }, capabilities: {} },
    progress: async () => {},
    log: async () => {},
    ...change,
  };
  return call as Call;
}

/** A promise and what settles it. */
export function later<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
