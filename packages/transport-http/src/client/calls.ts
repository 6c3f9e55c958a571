import {
  createSlots,
  type JsonObject,
  type LocalError,
  type Numbered,
  type RequestId,
  type RequestOptions,
  RpcError,
  type RpcResponse,
  type Slots,
} from "@parlance/jsonrpc";
import type { Sending } from "./wire.js";

/** One request of ours that waits for its answer. */
export class Call implements Numbered {
  readonly number: number;
  /** Until it is over, in whatever way. */
  open = true;
  readonly method: string;
  readonly options: RequestOptions | undefined;
  /** What is under way for it. */
  sending: Pick<Sending, "abort"> | undefined;
  /**
   * Called when the caller does not want the answer any more, and what is under way is cut. One function for all calls: one
   * that a call makes for itself outlives its youth with all that it sees, and costs a fifth of the call to collect.
   */
  onGivenUp: ((reason: unknown, call: Call) => void) | undefined;
  /** Called when it is over, in whatever way. */
  onEnd: (() => void) | undefined;
  readonly #waiting: Slots<Call>;
  readonly #resolve: (result: JsonObject) => void;
  readonly #reject: (error: unknown) => void;

  constructor(
    waiting: Slots<Call>,
    number: number,
    method: string,
    options: RequestOptions | undefined,
    resolve: (result: JsonObject) => void,
    reject: (error: unknown) => void,
  ) {
    this.number = number;
    this.method = method;
    this.options = options;
    this.#waiting = waiting;
    this.#resolve = resolve;
    this.#reject = reject;
    waiting.add(this);
    options?.signal?.addEventListener("abort", this);
  }

  get id(): RequestId {
    return this.number;
  }

  /** Takes a response: its own, or an error without id, since what comes back belongs to it. @returns whether it was */
  settle(response: RpcResponse): boolean {
    if (response.id !== undefined && response.id !== this.id) return false;
    if ("result" in response) this.resolve(response.result);
    else this.reject(new RpcError(response.error.code, response.error.message, { data: response.error.data }));
    return true;
  }

  resolve(result: JsonObject): void {
    if (this.#end()) this.#resolve(result);
  }

  reject(error: unknown): void {
    if (this.#end()) this.#reject(error);
  }

  giveUp(reason: unknown): void {
    if (!this.#end()) return;
    this.#reject(reason);
    this.sending?.abort();
    this.onGivenUp?.(reason, this);
  }

  /** Hears the caller's signal. */
  handleEvent(): void {
    this.giveUp(this.options?.signal?.reason);
  }

  #end(): boolean {
    if (!this.open) return false;
    this.open = false;
    this.#waiting.take(this.number);
    this.options?.signal?.removeEventListener("abort", this);
    this.onEnd?.();
    return true;
  }
}

/** All requests of ours that wait. */
export interface Calls {
  /** @param start sends it; what it throws rejects the promise */
  ask(method: string, options: RequestOptions | undefined, start: (call: Call) => void): Promise<JsonObject>;
  cancel(id: RequestId, reason: unknown): void;
  /** Rejects all of them, and whatever is asked from now on. */
  end(reason: LocalError): void;
}

/** Begins with none. */
export function createCalls(): Calls {
  const waiting = createSlots<Call>();
  let ended: LocalError | undefined;

  return {
    ask: (method, options, start) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) throw ended;
        options?.signal?.throwIfAborted();
        const id = waiting.next();
        options?.started?.(id);
        options?.signal?.throwIfAborted();
        const call = new Call(waiting, id, method, options, resolve, reject);
        try {
          start(call);
        } catch (error) {
          call.reject(error);
        }
      }),
    cancel: (id, reason) => waiting.get(id)?.giveUp(reason),
    end: (reason) => {
      ended = reason;
      for (const call of waiting.all()) call.giveUp(reason);
    },
  };
}
