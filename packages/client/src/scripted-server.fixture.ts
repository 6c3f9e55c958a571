import {
  type Channel,
  type Dial,
  type JsonObject,
  LocalError,
  over,
  type Report,
  type Sink,
  type Transport,
} from "@parlance/jsonrpc";

/** A message as it crossed the wire. */
export interface Wire {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: JsonObject & { readonly _meta?: JsonObject };
  readonly result?: JsonObject;
  readonly error?: JsonObject;
}

/** What a server does about a request. */
export type Reaction =
  | { readonly result: JsonObject }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
  | { readonly raw: string }
  | "silence"
  | "exit";

export type Answers = Readonly<Record<string, Reaction | ((message: Wire, run: Run) => Reaction | Promise<Reaction>)>>;

/** One start of the server. */
export interface Run {
  readonly received: readonly Wire[];
  readonly closed: boolean;
  send(message: JsonObject): void;
  exit(reason?: Error): void;
}

/** A server in memory that does what a test says, and keeps what it received. */
export interface ScriptedServer {
  readonly dial: Dial;
  /** Each time it was started. */
  readonly runs: readonly Run[];
  /** The methods that the last run received. */
  readonly methods: readonly (string | undefined)[];
  /** All messages of the last run. */
  readonly received: readonly Wire[];
  readonly last: Run;
  readonly reports: readonly Report[];
}

const outOfLuck = new LocalError("CLOSED", "the server exited with code 3; its last line on stderr: out of luck", {
  details: { exitCode: 3 },
});

export const ok = (result: JsonObject): Reaction => ({ result });
export const fail = (code: number, message = "No", data?: unknown): Reaction => ({ error: { code, message, data } });

export const discovered: JsonObject = {
  resultType: "complete",
  supportedVersions: ["2026-07-28"],
  capabilities: { tools: {} },
  instructions: "Be brief",
  ttlMs: 0,
  cacheScope: "private",
  _meta: { "io.modelcontextprotocol/serverInfo": { name: "scripted", version: "1" } },
};

export const initialized: JsonObject = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {} },
  serverInfo: { name: "scripted", version: "1" },
};

/** A server that knows only the stateless era. */
export const statelessAnswers: Answers = { "server/discover": ok(discovered), initialize: fail(-32601) };
/** A server that knows only the handshake. */
export const handshakeAnswers: Answers = { initialize: ok(initialized), ping: ok({}) };

export function createScriptedServer(answers: Answers, authority?: string): ScriptedServer {
  const runs: Run[] = [];
  const reports: Report[] = [];
  const transport: Transport = (sink) => {
    const { run, channel } = start(answers, sink);
    runs.push(run);
    return channel;
  };
  const last = (): Run => {
    const run = runs.at(-1);
    if (run === undefined) throw new Error("the server was never started");
    return run;
  };
  return {
    dial: over(transport, { authority, report: (report) => reports.push(report) }),
    runs,
    reports,
    get last() {
      return last();
    },
    get received() {
      return last().received;
    },
    get methods() {
      return last().received.map((message) => message.method);
    },
  };
}

function start(answers: Answers, sink: Sink): { readonly run: Run; readonly channel: Channel } {
  const received: Wire[] = [];
  let closed = false;
  const deliver = (text: string): void => queueMicrotask(() => void (closed || sink.frame(text)));
  const close = (reason?: Error): void => {
    if (closed) return;
    closed = true;
    sink.closed(reason);
  };
  const run: Run = {
    received,
    get closed() {
      return closed;
    },
    send: (message) => deliver(JSON.stringify({ jsonrpc: "2.0", ...message })),
    exit: (reason = outOfLuck) => close(reason),
  };
  const react = async (message: Wire): Promise<void> => {
    const answer = answers[message.method ?? ""] ?? answers["*"] ?? fail(-32601, "Method not found");
    const reaction = typeof answer === "function" ? await answer(message, run) : answer;
    if (reaction === "silence") return;
    if (reaction === "exit") run.exit();
    else if ("raw" in reaction) deliver(reaction.raw);
    else run.send({ id: message.id, ...reaction });
  };
  const channel: Channel = {
    send: (text) => {
      if (closed) throw new LocalError("CLOSED", "the server is gone");
      const message = JSON.parse(text) as Wire;
      received.push(message);
      if (message.id !== undefined && message.method !== undefined) void react(message);
    },
    close: async () => close(),
  };
  return { run, channel };
}
