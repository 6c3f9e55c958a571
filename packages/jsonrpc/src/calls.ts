import { encodeMessage } from "./codec.js";
import { LocalError, RpcError } from "./error.js";
import type { Ask, Notify, RequestOptions } from "./handler.js";
import type { JsonObject, RequestId, RpcErrorObject, RpcResponse } from "./message.js";
import type { Outbox } from "./outbox.js";
import type { Report } from "./report.js";
import { createSlots } from "./slots.js";

/** How many given-up requests are remembered, so that an answer that comes late is told from one to nothing. */
const rememberedCalls = 1_000;

/** What the calls need of their connection. */
export interface CallsOptions {
  readonly send: Outbox["send"];
  readonly notify: Notify;
  readonly report: (report: Report) => void;
  /** Called when a request leaves: its answer lies behind everything that is not read yet. */
  readonly opened: () => void;
}

/** The requests of ours that wait for an answer. */
export interface Calls {
  readonly size: number;
  readonly request: Ask;
  settle(response: RpcResponse): void;
  /** Rejects one that is not wanted any more, and tells the peer. */
  cancel(id: RequestId, reason: unknown): void;
  /** Rejects one. @returns whether it was waiting */
  fail(id: RequestId | undefined, error: Error): boolean;
  /** Rejects all of them, and whatever is asked from now on. */
  end(reason: LocalError): void;
}

/** What the caller waits with. */
interface Settle {
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: unknown) => void;
}

interface Call extends Settle {
  /** Its id. */
  readonly number: number;
  /** Takes the listener off the caller's signal. */
  unlink: (() => void) | undefined;
}

/** Of a connection that asks nothing. */
export function askNothing({ report }: CallsOptions): Calls {
  return {
    size: 0,
    request: async () => {
      throw new LocalError("UNSUPPORTED", "this side only answers");
    },
    settle: (response) => report({ kind: "stray_response", response }),
    cancel: () => {},
    fail: () => false,
    end: () => {},
  };
}

/**
 * The part of a connection that asks, for `Handler.asking`.
 * @experimental
 */
export function createCalls({ send, notify, report, opened }: CallsOptions): Calls {
  const waiting = createSlots<Call>();
  const givenUp = new Set<RequestId>();
  let ended: LocalError | undefined;

  function take(id: RequestId): Call | undefined {
    const call = waiting.take(id);
    call?.unlink?.();
    return call;
  }

  /** An error without id is for a request whose id the peer could not read: the one that waits, if it is only one. */
  function takeLone(): Call | undefined {
    const [call] = waiting.size === 1 ? waiting.all() : [];
    return call && take(call.number);
  }

  function fail(id: RequestId | undefined, error: unknown): boolean {
    const call = id === undefined ? undefined : take(id);
    call?.reject(error);
    return call !== undefined;
  }

  function giveUp(id: RequestId, reason: unknown, cancellable: boolean): void {
    if (!fail(id, reason)) return;
    givenUp.add(id);
    const [oldest] = givenUp;
    if (givenUp.size > rememberedCalls && oldest !== undefined) givenUp.delete(oldest);
    if (!cancellable) return;
    const told = reason instanceof LocalError ? reason.message : reason;
    void notify(
      "notifications/cancelled",
      typeof told === "string" ? { requestId: id, reason: told } : { requestId: id },
    );
  }

  /** @throws whatever keeps the request from leaving */
  function start(settle: Settle, method: string, params: JsonObject, options: RequestOptions | undefined): void {
    if (ended !== undefined) throw ended;
    const signal = options?.signal;
    signal?.throwIfAborted();
    const id = waiting.next();
    const text = encodeMessage(id, method, params);
    options?.started?.(id);
    signal?.throwIfAborted();
    const call: Call = { number: id, resolve: settle.resolve, reject: settle.reject, unlink: undefined };
    waiting.add(call);
    if (signal !== undefined) {
      const abort = (): void => giveUp(id, signal.reason, options?.cancellable !== false);
      signal.addEventListener("abort", abort);
      call.unlink = () => signal.removeEventListener("abort", abort);
    }
    opened();
    send(text)?.catch((error: unknown) => fail(id, error));
  }

  return {
    get size() {
      return waiting.size;
    },
    request: (method, params, options) =>
      new Promise((resolve, reject) => start({ resolve, reject }, method, params, options)),
    settle: (response) => {
      const { id } = response;
      const call = id === undefined ? takeLone() : take(id);
      if (call !== undefined) {
        if ("result" in response) call.resolve(response.result);
        else call.reject(rpcError(response.error));
      } else if (id === undefined || !givenUp.delete(id)) report({ kind: "stray_response", response });
    },
    cancel: (id, reason) => giveUp(id, reason, true),
    fail,
    end: (reason) => {
      ended = reason;
      for (const { number } of waiting.all()) fail(number, reason);
    },
  };
}

function rpcError({ code, message, data }: RpcErrorObject): RpcError {
  return new RpcError(code, message, { data });
}
