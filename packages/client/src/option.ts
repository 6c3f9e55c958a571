import { LocalError } from "@parlance/jsonrpc";

/** @throws LocalError `INVALID_ARGUMENT` naming the option, what it is and what would be right */
export function check(option: string, value: unknown, isRight: unknown, right: string): void {
  if (isRight) return;
  const is = typeof value === "string" ? JSON.stringify(value) : String(value);
  throw new LocalError("INVALID_ARGUMENT", `${option} is ${is}, and should be ${right}`);
}

export function checkMs(option: string, value: unknown): void {
  check(option, value, typeof value === "number" && value >= 0, "0 or more milliseconds");
}

export function checkSignal(value: AbortSignal | undefined): void {
  check("signal", value, value === undefined || "aborted" in value, "an AbortSignal");
}
