import { follow } from "./abort.js";
import { encodeMessage } from "./codec.js";
import { LocalError, RpcError } from "./error.js";
import type { Ask, Notify } from "./handler.js";
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
  readonly size: () => number;
  readonly request: Ask;
  settle(response: RpcResponse): void;
  /** Rejects one that is not wanted any more, and tells the peer. */
  cancel(id: RequestId, reason: unknown): void;
  /** Rejects one. @returns whether it was waiting */
  fail(id: RequestId, error: Error): boolean;
  /** Rejects all of them, and whatever is asked from now on. */
  end(reason: LocalError): void;
}

interface Call {
  /** Its id. */
  readonly number: number;
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: unknown) => void;
  /** Takes the listener off the caller's signal. */
  readonly unlink: (() => void) | undefined;
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

  function giveUp(id: RequestId, reason: unknown, cancellable: boolean = true): void {
    if (!fail(id, reason) || !cancellable) return;
    const told = reason instanceof LocalError ? reason.message : reason;
    void notify("notifications/cancelled", { requestId: id, reason: typeof told === "string" ? told : undefined });
  }

  return {
    size: waiting.size,
    request: (method, params, options) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) throw ended;
        const number = waiting.next();
        const text = encodeMessage(number, method, params);
        const signal = options?.signal;
        options?.started?.(number);
        signal?.throwIfAborted();
        const unlink = signal && follow(signal, (reason) => giveUp(number, reason, options?.cancellable !== false));
        waiting.add({ number, resolve, reject, unlink });
        opened();
        send(text)?.catch((error: unknown) => fail(number, error));
      }),
    settle: (response) => {
      // an error without id is for a request whose id the peer could not read: the one that waits, if it is only one
      const [lone] = response.id === undefined && waiting.size() === 1 ? waiting.all() : [];
      const call = take(response.id ?? lone?.number);
      if (call === undefined) report({ kind: "stray_response", response });
      else if ("result" in response) call.resolve(response.result);
      else call.reject(rpcError(response.error));
    },
    cancel: giveUp,
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
