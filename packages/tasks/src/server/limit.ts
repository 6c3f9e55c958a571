import { LocalError } from "@parlance/jsonrpc";

/** @throws LocalError `INVALID_ARGUMENT` for a time or a count that is none */
export function checkLimit(option: string, value: number): void {
  if (Number.isSafeInteger(value) && value > 0) return;
  throw new LocalError("INVALID_ARGUMENT", `${option} is ${value}, and should be an integer above 0`);
}
