import { type Budget, spend } from "./limits.js";

/** A finite number as it is written in decimal: its digits, and the power of ten of the last of them. */
const decimal = (value: number): readonly [digits: bigint, power: number] => {
  const [mantissa = "", exponent = 0] = String(value).split("e");
  const [digits, fraction = ""] = mantissa.split(".");
  return [BigInt(digits + fraction), +exponent - fraction.length];
};

/** Exact in decimal, so 0.0075 is a multiple of 0.0001 although their quotient in binary is not whole. */
export const isMultiple = (value: number, divisor: number, run: Budget): boolean => {
  if (value % divisor === 0) return true;
  const [digits, power] = decimal(value);
  const [by, least] = decimal(divisor);
  const places = Math.abs(power - least);
  // in one step the point is moved by sixteen places
  spend(run, places / 16);
  const moved = 10n ** BigInt(places);
  return (power > least ? (digits * moved) % by : digits % (by * moved)) === 0n;
};
