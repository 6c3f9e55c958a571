import { type Run, spend } from "./limits.js";

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** A finite number as it is written in decimal. */
function decimal(value: number): Decimal {
  const [mantissa = "0", exponent = "0"] = String(value).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** Exact in decimal, so 0.0075 is a multiple of 0.0001 although their quotient in binary is not whole. */
export function isMultiple(value: number, divisor: number, run: Run): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  const a = decimal(value);
  const b = decimal(divisor);
  const apart = a.exponent - b.exponent;
  spend(run, Math.abs(apart));
  return scaled(a.digits, apart) % scaled(b.digits, -apart) === 0n;
}

function scaled(digits: bigint, power: number): bigint {
  return digits * 10n ** BigInt(Math.max(0, power));
}
