import { LocalError } from "@parlance/jsonrpc";

/** @throws LocalError `INVALID_ARGUMENT` naming the option, what it is and what would be right */
export function check(option: string, value: unknown, isRight: unknown, right: string): void {
  if (!isRight) throw new LocalError("INVALID_ARGUMENT", `${option} is ${String(value)}, and should be ${right}`);
}

/** @throws LocalError `INVALID_ARGUMENT` for what is no time to wait */
export function checkMs(option: string, value: unknown): void {
  check(option, value, typeof value === "number" && value >= 0, "0 or more milliseconds");
}
