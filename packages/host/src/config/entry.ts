import type { Dial } from "@parlance/jsonrpc";

/**
 * What may be said of a server however it is reached. All of it is plain data.
 * @stable
 */
export interface ServerSettings {
  /** `false`: it is left out. Default `true`. */
  readonly enabled?: boolean | undefined;
  /** The era it is spoken to in. Default: whichever it speaks, the newest first. */
  readonly era?: "stateless" | "handshake" | undefined;
  /** Put before the names of its tools: `git_`. Default: tools keep their names. */
  readonly prefix?: string | undefined;
  /** Names for single tools, by the name that the server gives; they get no prefix. */
  readonly rename?: Readonly<Record<string, string>> | undefined;
  /** Which of its tools are taken, by the name that the server gives. `deny` wins. Default: all. */
  readonly tools?: ToolSelection | undefined;
  /** What becomes of a tool whose definition is no longer what it was: it is told, and with `refuse` it is gone too. Default `report`. */
  readonly changedTools?: "report" | "refuse" | undefined;
  /** `true`: it runs only while it is called. It is started once to learn its tools, unless they are remembered. Default `false`. */
  readonly lazy?: boolean | undefined;
  /** How long nothing calls it before it is ended; the next call starts it again. Default: never, and 0 when it is lazy. */
  readonly idleMs?: number | undefined;
  /** How long it may take to start, to settle what is spoken, and to list its tools. Default: that of the start-up step. */
  readonly deadlineMs?: number | undefined;
  /** How long a call waits for an answer, or for progress since the last. Default 60,000. */
  readonly timeoutMs?: number | undefined;
  /** How it is started again when it ended; `false`: not at all. */
  readonly restart?: RestartSettings | false | undefined;
}

/**
 * Which tools of a server are taken.
 * @stable
 */
export interface ToolSelection {
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

/**
 * How a server that ended is started again.
 * @stable
 */
export interface RestartSettings {
  /** How often in a row, without a call that succeeds in between. Default 5. */
  readonly maxTries?: number | undefined;
  /** The wait before the second try; it doubles from try to try. Default 250. */
  readonly delayMs?: number | undefined;
  /** The longest wait. Default 10,000. */
  readonly maxDelayMs?: number | undefined;
}

/**
 * A server that is a program.
 * @stable
 */
export interface StdioEntry extends ServerSettings {
  readonly transport?: "stdio" | undefined;
  /** The program: a name looked up on PATH, or a path. No shell comes in between. */
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Variables over the safe ones that it inherits. Credentials go here. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Default: this process's own. */
  readonly cwd?: string | undefined;
}

/**
 * A server that is reached over HTTP. `http+sse` also takes one that knows only the HTTP+SSE of 2024.
 * @stable
 */
export interface HttpEntry extends ServerSettings {
  readonly transport?: "http" | "http+sse" | undefined;
  readonly url: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * A server that is reached in a way of your own: in this process, for one. It cannot stand in a file.
 * @stable
 */
export interface DialEntry extends ServerSettings {
  readonly transport?: undefined;
  readonly dial: Dial;
}

/**
 * One server of a configuration.
 * @stable
 */
export type ServerEntry = StdioEntry | HttpEntry | DialEntry;

/**
 * The servers of a host, by the id that each has in it.
 * @stable
 */
export interface HostConfig {
  /** `false`: no server is started. Default `true`. */
  readonly enabled?: boolean | undefined;
  /** In this order: where two give a tool the same name, the first has it. */
  readonly servers: Readonly<Record<string, ServerEntry>>;
  /** Who the host says it is, to its servers and when it serves their tools again. */
  readonly server?: { readonly name?: string | undefined; readonly version?: string | undefined } | undefined;
}
