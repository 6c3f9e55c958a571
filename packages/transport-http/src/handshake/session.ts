import type {
  Agreed,
  Connection,
  JsonObject,
  LocalError,
  Notify,
  Principal,
  RequestId,
  RequestOptions,
  RpcResponse,
} from "@parlance/jsonrpc";
import { encodeMessage } from "@parlance/jsonrpc/codec";
import type { HttpArrival, HttpReply } from "../http.js";
import type { MessageStream } from "../outlet.js";
import { Questions } from "./questions.js";
import { readEventId, SessionStream, type SessionStreamSettings, type StreamOwner } from "./session-stream.js";
import { mayPoll } from "./versions.js";

/** A request of a session that is being answered. */
export interface RunningRequest {
  /** Whether its caller still reads, as far as one can see. */
  readonly isRead: boolean;
  /** The caller does not want it any more. */
  cancel(reason: unknown): void;
}

/** How many streams that belong to no request are kept for a reader that may come back. */
const maxLeft = 4;

/** How many notifications wait for a stream to go on, at most; each is kept once. */
const maxMissed = 16;

/**
 * What is known of one client between `initialize` and its end: a small record, since there may be very many. Everything
 * but the id is made when it is needed.
 */
export class Session implements Connection, StreamOwner {
  // joined again: Node builds it of twenty pieces, which it would hold on to, at twice what the rest of the session takes
  readonly id: string = crypto.randomUUID().split("-").join("-");
  readonly openedAtMs: number;
  usedAtMs: number;
  agreedOn: Agreed | undefined;
  readonly principalId: string | undefined;
  readonly #settings: SessionStreamSettings;
  #ended: LocalError | undefined;
  #closed: AbortController | undefined;
  #onClosed: (() => void) | undefined;
  #questions: Questions | undefined;
  #running: Map<RequestId, RunningRequest> | undefined;
  /** Those on which more will come. The ones that belong to no request come last. */
  #streams: Map<string, SessionStream> | undefined;
  #standalone: readonly SessionStream[] = none;
  #lastStream = 0;
  #missed: Set<string> | undefined;

  constructor(principal: Principal | undefined, settings: SessionStreamSettings, nowMs: number) {
    this.principalId = principal?.id;
    this.#settings = settings;
    this.openedAtMs = nowMs;
    this.usedAtMs = nowMs;
  }

  get closed(): AbortSignal {
    this.#closed ??= new AbortController();
    if (this.#ended !== undefined) this.#closed.abort(this.#ended);
    return this.#closed.signal;
  }

  onClosed(listener: () => void): void {
    const before = this.#onClosed;
    if (this.#ended !== undefined) listener();
    else if (before === undefined) this.#onClosed = listener;
    else {
      this.#onClosed = () => {
        before();
        listener();
      };
    }
  }

  get polls(): boolean {
    return this.agreedOn !== undefined && mayPoll(this.agreedOn.version);
  }

  /** Whether anybody is there: a reader of a stream, or one who waits for an answer. */
  get isInUse(): boolean {
    if (this.#standalone.some((stream) => stream.isRead)) return true;
    for (const request of this.#running?.values() ?? none) if (request.isRead) return true;
    return false;
  }

  /** A session is no proof of who calls: it is of use to whoever opened it, and nobody else. */
  isOf(principal: Principal | undefined): boolean {
    return principal?.id === this.principalId;
  }

  agreed(to: Agreed): void {
    this.agreedOn = to;
  }

  /** On the newest stream that belongs to no request. What comes while there is none waits for the next. */
  get notify(): Notify {
    return (method, params) => this.#tell(notificationText(method, params));
  }

  #tell(text: string): Promise<void> {
    const stream = this.#standalone.findLast(({ isRead }) => isRead) ?? this.#standalone.findLast(isReachable);
    if (stream !== undefined) return stream.send(text);
    if (this.#ended === undefined) {
      this.#missed ??= new Set();
      if (this.#missed.size < maxMissed) this.#missed.add(text);
    }
    return Promise.resolve();
  }

  ask(
    stream: MessageStream,
    method: string,
    params: JsonObject,
    options: RequestOptions | undefined,
  ): Promise<JsonObject> {
    this.#questions ??= new Questions();
    return this.#questions.ask(stream, method, params, options);
  }

  /** @returns whether something waited for it */
  settle(response: RpcResponse): boolean {
    return this.#questions?.settle(response) ?? false;
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
    if (typeof requestId !== "string" && typeof requestId !== "number") return false;
    const request = this.#running?.get(requestId);
    request?.cancel(new DOMException(typeof reason === "string" ? reason : "The caller cancelled", "AbortError"));
    return request !== undefined;
  }

  /** A stream for the answer to a POST. @throws AccessError `RATE_LIMITED` */
  stream(arrival: HttpArrival): SessionStream {
    const stream = new SessionStream(String(this.#lastStream + 1), this, this.#settings).begin(arrival);
    this.#lastStream += 1;
    this.#streams ??= new Map();
    this.#streams.set(stream.name, stream);
    return stream;
  }

  /** A stream for what belongs to no request. @throws AccessError `RATE_LIMITED` */
  listen(arrival: HttpArrival): HttpReply {
    const stream = this.stream(arrival);
    const left = this.#standalone.filter((each) => !each.isRead);
    const kept = left.filter(isReachable).slice(-maxLeft);
    for (const each of left) if (!kept.includes(each)) each.finish();
    this.#standalone = [...this.#standalone.filter(isReachable), stream];
    for (const text of this.#missed ?? none) void stream.send(text); // settles by itself
    this.#missed = undefined;
    return stream.reply;
  }

  /** Goes on with a stream. @returns nothing when it cannot @throws AccessError `RATE_LIMITED` */
  async resume(arrival: HttpArrival, eventId: string): Promise<HttpReply | undefined> {
    const from = readEventId(eventId);
    if (from === undefined) return undefined;
    const stream = this.#streams?.get(from.name) ?? new SessionStream(from.name, this, this.#settings, true);
    return stream.resume(arrival, from.number);
  }

  ended(stream: SessionStream): void {
    this.#streams?.delete(stream.name);
    if (this.#standalone.includes(stream)) this.#standalone = this.#standalone.filter((each) => each !== stream);
  }

  /** Ends the streams that belong to no request; what runs goes on. */
  endListening(): void {
    for (const stream of this.#standalone) stream.finish();
    this.#standalone = none;
  }

  end(reason: LocalError): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.#questions?.end(reason);
    this.#onClosed?.();
    this.#closed?.abort(reason);
    for (const request of [...(this.#running?.values() ?? none)]) request.cancel(reason);
    for (const stream of this.#streams?.values() ?? none) stream.cut();
    this.#streams = undefined;
    this.#standalone = none;
    this.#missed = undefined;
  }
}

const none: readonly never[] = [];

function isReachable(stream: SessionStream): boolean {
  return stream.isReachable;
}

/** The texts of notifications without parameters: one change is told to all sessions in the same words. */
const plainTexts = new Map<string, string>();
const maxPlainTexts = 32;

function notificationText(method: string, params: JsonObject): string {
  for (const _key in params) return encodeMessage(undefined, method, params);
  const known = plainTexts.get(method);
  if (known !== undefined) return known;
  const text = encodeMessage(undefined, method, params);
  if (plainTexts.size < maxPlainTexts) plainTexts.set(method, text);
  return text;
}
