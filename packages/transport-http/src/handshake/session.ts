import type {
  Agreed,
  Connection,
  Handler,
  JsonObject,
  LocalError,
  Notify,
  Principal,
  RequestId,
  RpcResponse,
} from "@parlance/jsonrpc";
import { encodeMessage } from "@parlance/jsonrpc/codec";
import { EventStream, type MessageStream } from "../event-stream.js";
import type { HttpArrival, HttpReply } from "../http.js";
import type { AnswerSettings } from "../outlet.js";
import { createQuestions, type Questions } from "./questions.js";
import type { Resumable, Resumption } from "./resumption.js";

/** What all sessions of one binding share. */
export interface SessionSettings extends AnswerSettings {
  readonly events?: Resumable | undefined;
}

/** A request of a session that is being answered. */
export interface RunningRequest {
  /** Whether its caller still reads, as far as one can see. */
  readonly isRead: boolean;
  /** The caller does not want it any more. */
  cancel(reason: unknown): void;
}

/** How many notifications wait for a stream to go on, at most; each is kept once. */
const maxMissed = 16;

const none: readonly never[] = [];

/**
 * What is known of one client between `initialize` and its end: a small record, since there may be very many. Everything
 * but the id is made when it is needed.
 */
export class Session implements Connection {
  // joined again: Node builds it of twenty pieces, which it would hold on to, at twice what the rest of the session takes
  readonly id: string = crypto.randomUUID().split("-").join("-");
  readonly principalId: string | undefined;
  readonly openedAtMs: number;
  usedAtMs: number;
  agreedOn: Agreed | undefined;
  readonly #settings: SessionSettings;
  readonly #opened: (session: Session) => void;
  #ended: LocalError | undefined;
  #closed: AbortController | undefined;
  #onClosed: (() => void) | undefined;
  #questions: Questions | undefined;
  #resumption: Resumption | undefined;
  #running: Map<unknown, RunningRequest> | undefined;
  /** The streams that belong to no request, the newest last. */
  #listening: readonly MessageStream[] = none;
  #missed: Set<string> | undefined;

  /** @param opened called when it is agreed on. What it throws, `initialize` comes to */
  constructor(
    principal: Principal | undefined,
    settings: SessionSettings,
    nowMs: number,
    opened: (session: Session) => void,
  ) {
    this.principalId = principal?.id;
    this.#settings = settings;
    this.openedAtMs = nowMs;
    this.usedAtMs = nowMs;
    this.#opened = opened;
  }

  get closed(): AbortSignal {
    this.#closed ??= new AbortController();
    if (this.#ended !== undefined) this.#closed.abort(this.#ended);
    return this.#closed.signal;
  }

  onClosed(listener: () => void): void {
    const before = this.#onClosed;
    this.#onClosed =
      before === undefined
        ? listener
        : () => {
            before();
            listener();
          };
  }

  agreed(to: Agreed): void {
    this.#opened(this);
    this.agreedOn = to;
  }

  /** Whether anybody is there: a reader of a stream, or one who waits for an answer. */
  get isInUse(): boolean {
    return [...this.#listening, ...(this.#running?.values() ?? none)].some(({ isRead }) => isRead);
  }

  /** On the newest stream that belongs to no request. What comes while there is none waits for the next. */
  get notify(): Notify {
    return async (method, params) => {
      const text = encodeMessage(undefined, method, params);
      const stream = this.#listening.findLast(({ isRead }) => isRead) ?? this.#listening.at(-1);
      if (stream !== undefined) return stream.send(text);
      this.#missed ??= new Set();
      if (this.#missed.size < maxMissed) this.#missed.add(text);
    };
  }

  questions(asking: NonNullable<Handler["asking"]>, report: HttpArrival["report"]): Questions {
    this.#questions ??= createQuestions(asking, report);
    return this.#questions;
  }

  settle(response: RpcResponse, report: HttpArrival["report"]): void {
    if (this.#questions === undefined) report({ kind: "stray_response", response });
    else this.#questions.settle(response);
  }

  /** @returns whether the id is free, and now taken */
  start(id: RequestId, request: RunningRequest): boolean {
    this.#running ??= new Map();
    if (this.#running.has(id)) return false;
    this.#running.set(id, request);
    return true;
  }

  done(id: RequestId): void {
    this.#running?.delete(id);
  }

  /** @returns whether the params of `notifications/cancelled` named a running request */
  cancel({ requestId, reason }: JsonObject): boolean {
    const request = this.#running?.get(requestId);
    request?.cancel(new DOMException(typeof reason === "string" ? reason : "The caller cancelled", "AbortError"));
    return request !== undefined;
  }

  /**
   * A stream for the answer to a POST, or for what belongs to no request.
   * @param left called when the reader of the latter is gone for good
   * @throws AccessError `RATE_LIMITED`
   */
  stream(arrival: HttpArrival, left?: (stream: MessageStream) => void): MessageStream {
    return this.resumption?.begin(arrival, left) ?? new EventStream(arrival, this.#settings, left);
  }

  /** A stream for what belongs to no request. @throws AccessError `RATE_LIMITED` */
  listen(arrival: HttpArrival): HttpReply {
    const stream = this.stream(arrival, (left) => {
      this.#listening = this.#listening.filter((each) => each !== left);
    });
    if (stream.isRead) this.#listening = [...this.#listening, stream];
    for (const text of this.#missed ?? none) void stream.send(text); // settles by itself
    this.#missed = undefined;
    return stream.reply;
  }

  get resumption(): Resumption | undefined {
    this.#resumption ??= this.#settings.events?.(this, this.#settings);
    return this.#resumption;
  }

  /** Ends the streams that belong to no request; what runs goes on. */
  endListening(): void {
    for (const stream of this.#listening) stream.end();
    this.#listening = none;
  }

  end(reason: LocalError): void {
    this.#ended = reason;
    this.#questions?.end(reason);
    this.#onClosed?.();
    this.#closed?.abort(reason);
    for (const request of this.#running?.values() ?? none) request.cancel(reason);
    this.endListening();
    void this.#resumption?.drop(); // never rejects
    this.#missed = undefined;
  }
}
