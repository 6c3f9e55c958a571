import type { JsonObject } from "@parlance/jsonrpc";

/**
 * The trace context that a message carries in `_meta`.
 * @see W3C Trace Context, W3C Baggage; MCP 2026-07-28, basic, reserved keys
 * @stable
 */
export interface TraceContext {
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
  readonly baggage?: string | undefined;
}

const traceparent = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;
const stateMember = /^[a-z\d][a-z\d_\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
const baggageMember =
  /^[!#$%&'*+\-.^_`|~\dA-Za-z]+[ \t]*=[ \t]*[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*(?:[ \t]*;[^,]*)?$/;
const maxStateMembers = 32;

/**
 * Reads the trace context of `_meta`. What does not have W3C's format is left out: a bad trace is no reason to refuse.
 * @stable
 */
export function readTrace(meta: JsonObject): TraceContext {
  return {
    traceparent: matching(meta["traceparent"], (value) => traceparent.test(value)),
    tracestate: matching(meta["tracestate"], isState),
    baggage: matching(meta["baggage"], (value) => members(value).every((member) => baggageMember.test(member))),
  };
}

function matching(value: unknown, fits: (value: string) => boolean): string | undefined {
  return typeof value === "string" && fits(value) ? value : undefined;
}

function isState(value: string): boolean {
  const list = members(value).filter((member) => member !== "");
  return list.length <= maxStateMembers && list.every((member) => stateMember.test(member));
}

function members(value: string): readonly string[] {
  return value.split(",").map((member) => member.trim());
}
