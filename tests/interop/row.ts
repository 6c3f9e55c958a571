import type { ProtocolVersion } from "@parlance/protocol-versions";
import type { Open, Program } from "./driver.js";
import type { Parlance } from "./parlance.js";

/** A call of a tool. */
export interface Call {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A behavior that a peer cannot show, and why. */
export interface Lacking {
  readonly lacks: string;
}

/** Two programs that are joined: one client, one server, one of them ours. */
export interface Row {
  /** The one that is not ours, and its version. */
  readonly peer: string;
  readonly role: "server" | "client";
  /** What is special about this row. */
  readonly how: string;
  readonly open: Open;
  readonly program: Program;
  /** What the two are to agree on. */
  readonly speaks: { readonly era: string; readonly version: ProtocolVersion };
  readonly server: Served;
  /** How our client reaches it, for what takes a connection of its own. */
  readonly parlance?: Parlance;
  /** Behaviors that the peer cannot show, whatever the server has. */
  readonly without?: Readonly<Record<string, Lacking>>;
}

/** What a server can be asked, in its own tools. */
export interface Served {
  /** A call, and what its answer holds. */
  readonly good: Call & { readonly answer: string };
  readonly bad: Call;
  /** A call that carries a text there and back. */
  readonly echo: ((text: string) => Call) | Lacking;
  /** A call that reports progress three times. */
  readonly progress: Call | Lacking;
  /** A call that lasts until it is given up. */
  readonly slow: Call | Lacking;
  /** Says how many calls were aborted, as JSON with the member `aborted`. */
  readonly stats: Call | Lacking;
  /** A resource that is listed, and what it holds. */
  readonly resource?: { readonly uri: string; readonly text: string } | Lacking;
  /** A prompt that is listed, and what it holds. */
  readonly prompt?: { readonly name: string; readonly args: Readonly<Record<string, string>>; readonly text: string };
  /** What is suggested for an argument of a prompt. */
  readonly suggestion?: {
    readonly prompt: string;
    readonly argument: string;
    readonly typed: string;
    readonly value: string;
  };
  /** A call that logs. */
  readonly log?: (Call & { readonly level: string }) | Lacking;
  /** Calls that ask a form to be filled in, a page to be visited, a model, and where it may work; what they say holds the answer. */
  readonly asks?: { readonly form: Call; readonly page: Call; readonly model: Call; readonly roots: Call } | Lacking;
  /** A call that changes a resource. */
  readonly change?: (Call & { readonly uri: string }) | Lacking;
  /** The older revisions that it speaks. */
  readonly older: readonly ProtocolVersion[] | Lacking;
}

export function lacks(value: unknown): value is Lacking {
  return typeof value === "object" && value !== null && "lacks" in value;
}
