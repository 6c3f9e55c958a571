/** A request, cut to what the protocol sends. */
export interface OutgoingRequest {
  readonly method: "POST" | "GET" | "DELETE";
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** The head of what came back, and its body, which is read once. */
export interface IncomingReply {
  readonly status: number;
  /** @param name in lower case */
  header(name: string): string | undefined;
  /** Hands over the body as it comes. Rejects when it breaks off, and with whatever `take` throws; then it is cut. */
  read(take: (chunk: Uint8Array) => void): Promise<void>;
}

/** A request under way. */
export interface Sending {
  /** Rejects with a `LocalError` when no answer came. */
  readonly reply: Promise<IncomingReply>;
  /** Cuts the connection: whatever waits for it rejects. */
  abort(): void;
}

/** Sends requests; this is all that a platform has to bring. Redirects are not followed. */
export interface HttpSender {
  send(request: OutgoingRequest): Sending;
  /** Lets go of idle connections. */
  close(): void;
}
