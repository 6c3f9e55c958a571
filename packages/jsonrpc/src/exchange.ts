import type { Ask, Connection, Exchange, Notify, Principal } from "./handler.js";
import type { JsonObject } from "./message.js";

/**
 * An exchange that is `base` but for what `change` says, in which a member set to `undefined` is taken away.
 * Both are read only when a member is asked for, so what is lazy stays lazy.
 * @stable
 */
export function derive(base: Exchange, change: Partial<Exchange>): Exchange {
  return new Derived(base, change);
}

/** A class with getters: an object literal would build each of its functions for every request. */
class Derived implements Exchange {
  readonly #base: Exchange;
  readonly #change: Partial<Exchange>;

  constructor(base: Exchange, change: Partial<Exchange>) {
    this.#base = base;
    this.#change = change;
  }
  get connection(): Connection {
    return this.#change.connection ?? this.#base.connection;
  }
  get principal(): Principal | undefined {
    return "principal" in this.#change ? this.#change.principal : this.#base.principal;
  }
  get signal(): AbortSignal {
    return this.#change.signal ?? this.#base.signal;
  }
  get notify(): Notify {
    return this.#change.notify ?? this.#base.notify;
  }
  get request(): Ask | undefined {
    return "request" in this.#change ? this.#change.request : this.#base.request;
  }
  get header(): ((name: string) => string | undefined) | undefined {
    return "header" in this.#change ? this.#change.header : this.#base.header;
  }
  get afterReply(): ((method: string, params: JsonObject) => void) | undefined {
    return "afterReply" in this.#change ? this.#change.afterReply : this.#base.afterReply;
  }
  get release(): ((retryMs: number) => void) | undefined {
    return "release" in this.#change ? this.#change.release : this.#base.release;
  }
  checkHeaders(about: "version" | "routing"): void {
    this.#base.checkHeaders?.(about);
  }
  stop(reason: Error): void {
    this.#base.stop?.(reason);
  }
}
