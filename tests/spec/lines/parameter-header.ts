import { lines, type SpecLine } from "../line.js";

/** Group XMH: arguments of tools that HTTP repeats in headers, as a server sees them. */
export const parameterHeader: readonly SpecLine[] = [
  ...lines("2026-07-28 basic/transports/streamable-http#custom-headers-from-tool-parameters", [
    ["XMH-12", "M", "another tool is refused when it is added"],
    ["XMH-21", "M", "a value is decoded before it is compared"],
    ["XMH-22", "M", "one that differs is refused"],
    ["XMH-23", "M", "integers are compared as numbers"],
    ["XMH-24", "M", "booleans and strings exactly"],
    ["XMH-25", "M", "a missing header is refused"],
    ["XMH-26", "M", "an absent argument needs none, and takes none"],
    ["XMH-27", "M", "a malformed one is refused"],
    ["XMH-28", "M", "one that nothing asks for is ignored"],
    ["XMH-29", "M", "an unknown tool is told so first"],
  ]),
];
