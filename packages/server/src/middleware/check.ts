import { LocalError } from "@parlance/jsonrpc";

/**
 * @throws LocalError `INVALID_ARGUMENT` naming the option, its value and what would be right
 */
export function checkCount(option: string, value: number, least: number, unit: string): void {
  if (value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && value >= least)) return;
  throw new LocalError(
    "INVALID_ARGUMENT",
    `${option} is ${value}, and should be a whole number of ${unit}, ${least} or more`,
  );
}
