import type { Call, Outcome } from "@parlance/protocol-versions";

/** The tool that a call is for; `undefined` when it is for none. */
export function toolOf(call: Call): string | undefined {
  const name = call.params["name"];
  return call.method === "tools/call" && typeof name === "string" ? name : undefined;
}

/** A tool's failure as its caller reads it. */
export function toolError(text: string): Outcome {
  return { type: "complete", result: { content: [{ type: "text", text }], isError: true } };
}
