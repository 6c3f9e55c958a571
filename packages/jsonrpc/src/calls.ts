import { encodeMessage } from "./codec.js";
import { LocalError, RpcError } from "./error.js";
import type { Ask, Notify, RequestOptions } from "./handler.js";
import type { JsonObject, RequestId, RpcErrorObject, RpcResponse } from "./message.js";
import type { Outbox } from "./outbox.js";
import type { Report } from "./report.js";
import { createSlots } from "./slots.js";

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
  fail(id: RequestId, error: Error): boolean;
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

/**
 * The part of a connection that asks, for `Handler.asking`.
 * @experimental
 */
export function createCalls({ send, notify, report, opened }: CallsOptions): Calls {
  const waiting = createSlots<Call>();
  let ended: LocalError | undefined;

  function take(id: RequestId | undefined): Call | undefined {
    const call = waiting.take(id);
    call?.unlink?.();
    return call;
  }

  function fail(id: RequestId, error: unknown): boolean {
    const call = take(id);
    call?.reject(error);
    return call !== undefined;
  }

  function giveUp(id: RequestId, reason: unknown, cancellable: boolean): void {
    if (!fail(id, reason) || !cancellable) return;
    const told = reason instanceof LocalError ? reason.message : reason;
    void notify("notifications/cancelled", { requestId: id, reason: typeof told === "string" ? told : undefined });
  }

  /** @throws whatever keeps the request from leaving */
  function start(settle: Settle, method: string, params: JsonObject, options: RequestOptions | undefined): void {
    if (ended !== undefined) throw ended;
    const signal = options?.signal;
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
      // an error without id is for a request whose id the peer could not read: the one that waits, if it is only one
      const [lone] = response.id === undefined && waiting.size === 1 ? waiting.all() : [];
      const call = take(response.id ?? lone?.number);
      if (call === undefined) report({ kind: "stray_response", response });
      else if ("result" in response) call.resolve(response.result);
      else call.reject(rpcError(response.error));
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
