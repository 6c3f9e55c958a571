/** More places than the smallest number has behind the point. */
const PLACES = 400;

/** A finite number as it is written in decimal, with its point moved so far that it is whole. */
const whole = (value: number): bigint => {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const [digits, fraction = ""] = mantissa.split(".");
  return BigInt(digits + fraction) * 10n ** BigInt(PLACES + Number(exponent) - fraction.length);
};

/** Exact in decimal, so 0.0075 is a multiple of 0.0001 although their quotient in binary is not whole. */
export const isMultiple = (value: number, divisor: number): boolean =>
  value % divisor === 0 || whole(value) % whole(divisor) === 0n;
