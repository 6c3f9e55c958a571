import {
  type JsonObject,
  type LocalError,
  type RequestId,
  type RequestOptions,
  RpcError,
  type RpcResponse,
} from "@parlance/jsonrpc";
import { encodeMessage } from "@parlance/jsonrpc/codec";
import type { MessageStream } from "../outlet.js";

interface Question {
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: unknown) => void;
  unlink: (() => void) | undefined;
}

/** What a session's client was asked and has not answered. Ids are unique in the session, whatever the stream. */
export class Questions {
  readonly #waiting = new Map<RequestId, Question>();
  #lastId = 0;
  #ended: LocalError | undefined;

  /**
   * Asks on a stream; the answer comes by a POST of its own.
   * @throws RpcError what the client answered
   * @throws LocalError `CLOSED` when the session ends
   */
  ask(
    stream: MessageStream,
    method: string,
    params: JsonObject,
    options: RequestOptions | undefined,
  ): Promise<JsonObject> {
    const signal = options?.signal;
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = ++this.#lastId;
    const text = encodeMessage(id, method, params);
    options?.started?.(id);
    return new Promise((resolve, reject) => {
      const question: Question = { resolve, reject, unlink: undefined };
      this.#waiting.set(id, question);
      if (signal !== undefined) {
        const abort = (): void => {
          this.#take(id)?.reject(signal.reason);
          if (options?.cancellable !== false) void stream.send(cancelled(id)); // settles by itself
        };
        signal.addEventListener("abort", abort, { once: true });
        question.unlink = () => signal.removeEventListener("abort", abort);
      }
      void stream.send(text); // settles by itself
    });
  }

  /** Takes an answer. @returns whether something waited for it */
  settle(response: RpcResponse): boolean {
    const question = response.id === undefined ? undefined : this.#take(response.id);
    if (question === undefined) return false;
    if ("result" in response) question.resolve(response.result);
    else {
      const { code, message, data } = response.error;
      question.reject(new RpcError(code, message, { data }));
    }
    return true;
  }

  /** Rejects all of them, and whatever is asked from now on. */
  end(reason: LocalError): void {
    this.#ended = reason;
    for (const id of [...this.#waiting.keys()]) this.#take(id)?.reject(reason);
  }

  #take(id: RequestId): Question | undefined {
    const question = this.#waiting.get(id);
    if (question === undefined) return undefined;
    this.#waiting.delete(id);
    question.unlink?.();
    return question;
  }
}

function cancelled(requestId: RequestId): string {
  return encodeMessage(undefined, "notifications/cancelled", { requestId });
}
