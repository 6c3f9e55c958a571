import type { RequestId } from "@parlance/jsonrpc";

/** What JSON-RPC 2.0 and MCP say of one message, read line by line, without a thought for speed or wording. */
export type Expected =
  | { readonly kind: "request" | "notification" | "response" }
  | {
      readonly kind: "malformed";
      readonly id: RequestId | undefined;
      readonly code: number;
      readonly answered: boolean;
    };

const codes = { parse: -32700, request: -32600, params: -32602 };

/** Of the text of one frame of a connection without batches. */
export function expectedOf(text: string): Expected {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "malformed", id: undefined, code: codes.parse, answered: true };
  }
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? expectedOfObject(new Map(Object.entries(value)))
    : { kind: "malformed", id: undefined, code: codes.request, answered: true };
}

function expectedOfObject(members: ReadonlyMap<string, unknown>): Expected {
  const id = members.get("id");
  const hasMethod = members.has("method");
  const isRequest = hasMethod && members.has("id");
  // what may be a request must hear that it was none; what cannot be one must not be answered
  const malformed = (code: number, answered: boolean): Extract<Expected, { kind: "malformed" }> => ({
    kind: "malformed",
    id: isRequestId(id) ? id : undefined,
    code,
    answered,
  });
  if (hasMethod) {
    if (typeof members.get("method") !== "string") return malformed(codes.request, true);
    if (isRequest && !isRequestId(id)) return malformed(codes.request, true);
    if (members.get("jsonrpc") !== "2.0") return malformed(codes.request, isRequest);
    if (members.has("params") && !isPlainObject(members.get("params"))) return malformed(codes.params, isRequest);
    return { kind: isRequest ? "request" : "notification" };
  }
  if (!members.has("result") && !members.has("error")) {
    // an object that does not even claim to be JSON-RPC may be a line of a log: its id is none
    const fault = malformed(codes.request, true);
    return members.get("jsonrpc") === "2.0" ? fault : { ...fault, id: undefined };
  }
  return isResponse(members) ? { kind: "response" } : malformed(codes.request, false);
}

/** Some write the member that is not there as null: the other one counts. */
function isResponse(members: ReadonlyMap<string, unknown>): boolean {
  const result = members.get("result");
  const error = members.get("error");
  if (members.get("jsonrpc") !== "2.0") return false;
  if (isPlainObject(result) && (error === undefined || error === null)) return isRequestId(members.get("id"));
  if (!isPlainObject(error) || (result !== undefined && result !== null)) return false;
  return Number.isInteger(error["code"]) && typeof error["message"] === "string";
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || (typeof value === "number" && Number.isSafeInteger(value));
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
