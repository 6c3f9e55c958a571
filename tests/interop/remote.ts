import { fork } from "node:child_process";
import { once } from "node:events";
import type { Answer, Driver } from "./driver.js";
import type { OpenUrl } from "./served.js";

/** What `host` in `peers/clients/remote.mjs` says. */
type Said =
  | { readonly id: number; readonly kind: "progress"; readonly done: number; readonly total?: number }
  | { readonly id: number; readonly kind: "done"; readonly value: unknown }
  | { readonly id: number; readonly kind: "failed"; readonly message: string; readonly isTimeout: boolean };

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress?: ((done: number, total?: number) => void) | undefined;
}

class RemoteError extends Error {
  readonly isTimeout: boolean;
  constructor(message: string, isTimeout: boolean) {
    super(message);
    this.isTimeout = isTimeout;
  }
}

/** A client in a process of its own, because it asks for another Node than the one that runs the rest. */
export function remote(execPath: string, host: string, module: string): OpenUrl {
  return async (url, env) => {
    const child = fork(host, [module], { execPath, execArgv: [], env: { ...process.env, ...env }, stdio: "inherit" });
    const waiting = new Map<number, Waiting>();
    let last = 0;
    child.on("message", (said: Said) => {
      const call = waiting.get(said.id);
      if (said.kind === "progress") return call?.onProgress?.(said.done, said.total);
      waiting.delete(said.id);
      if (said.kind === "done") call?.resolve(said.value);
      else call?.reject(new RemoteError(said.message, said.isTimeout));
    });
    child.once("exit", () => {
      for (const { reject } of waiting.values()) reject(new RemoteError("the client's process ended", false));
    });
    const ask = <T>(act: string, parameters: object, on: Pick<Waiting, "onProgress"> = {}, signal?: AbortSignal) => {
      const id = ++last;
      const asked = new Promise<unknown>((resolve, reject) => waiting.set(id, { ...on, resolve, reject }));
      child.send({ id, act, ...parameters });
      signal?.addEventListener("abort", () => child.send({ id, act: "abort" }), { once: true });
      return asked as Promise<T>;
    };
    const { era, version } = await ask<Pick<Driver, "era" | "version">>("open", { url });
    return {
      era,
      version,
      list: () => ask("list", {}),
      call: (name, args, { signal, timeoutMs, onProgress } = {}) =>
        ask<Answer>("call", { name, args, timeoutMs }, { onProgress }, signal),
      isTimeout: (error) => error instanceof RemoteError && error.isTimeout,
      close: async () => {
        const exited = once(child, "exit");
        await ask("close", {});
        child.disconnect();
        await exited;
      },
    };
  };
}
