import type { ClientReport } from "@parlance/client";
import type { HttpClientReport } from "@parlance/transport-http";

/**
 * What a host has to say besides its answers, always with the server it is about.
 *
 * - `server_connected`, `server_failed`, `server_disconnected`: what came of a connect, and its end
 * - `server_lost`: it ended by itself; its tools are unavailable until `server_connected` or `server_given_up`
 * - `server_restarting`: the next try, after so long · `server_given_up`: there is none
 * - `server_idle`: nobody called it, and it was ended until somebody does
 * - `tool_registered`: a tool is in the registry · `tool_removed`: it is not any more
 * - `name_refused`: another has the name of a tool, and keeps it; the tool cannot be called
 * - `name_similar`: it differs from that of another tool in case only
 * - `tool_refused`: the registry did not take a tool, or the program did not
 * - `tool_changed`: a tool is no longer what it was when it was first seen
 * - `schema_unusable`: what the tool answers is not checked
 * - `list_failed`: a server's tools changed, and could not be listed again · `changes_unheard`: it does not tell when they do
 * - `stderr`: a line that a server printed · `signaled`: it did not end by itself and was sent a signal
 * - `connection`: what the client and the transport below have to say
 * - `callback_failed`: a callback of the program's threw
 * @stable
 */
export type HostReport =
  | {
      readonly kind: "server_connected";
      readonly server: string;
      readonly era: "stateless" | "handshake";
      readonly version: string;
      readonly tools: number;
      /** How long that took, in milliseconds. */
      readonly ms: number;
    }
  | { readonly kind: "server_failed" | "server_given_up"; readonly server: string; readonly error: unknown }
  | { readonly kind: "server_lost"; readonly server: string; readonly reason: unknown }
  | { readonly kind: "server_restarting"; readonly server: string; readonly tries: number; readonly delayMs: number }
  | { readonly kind: "server_disconnected" | "server_idle"; readonly server: string }
  | { readonly kind: "tool_registered" | "tool_removed"; readonly server: string; readonly tool: string }
  | {
      readonly kind: "name_refused";
      readonly server: string;
      readonly tool: string;
      /** The server that has it; absent: a tool that is not from a server. */
      readonly holder?: string | undefined;
    }
  | { readonly kind: "name_similar"; readonly server: string; readonly tool: string; readonly other: string }
  | { readonly kind: "tool_refused"; readonly server: string; readonly tool: string; readonly reason: string }
  | {
      readonly kind: "tool_changed";
      readonly server: string;
      readonly tool: string;
      readonly refused: boolean;
      /** What it is now, as `fingerprints` would hold it. */
      readonly fingerprint: string;
    }
  | {
      readonly kind: "schema_unusable" | "list_failed" | "changes_unheard";
      readonly server: string;
      readonly error: unknown;
    }
  | { readonly kind: "stderr"; readonly server: string; readonly line: string }
  | { readonly kind: "signaled"; readonly server: string; readonly signal: "SIGTERM" | "SIGKILL" }
  | { readonly kind: "connection"; readonly server: string; readonly report: ClientReport | HttpClientReport }
  | { readonly kind: "callback_failed"; readonly server: string; readonly error: unknown };

/** Tells somebody. What that throws changes nothing. */
export type Tell = (report: HostReport) => void;
