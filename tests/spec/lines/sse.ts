import { lines, type SpecLine } from "../line.js";

/** Group SSE: the transport of 2024-11-05, as a server speaks it. */
export const sse: readonly SpecLine[] = [
  ...lines("2024-11-05 basic/transports#http-with-sse", [
    ["SSE-01", "24-11", "one URL streams, another takes messages"],
    ["SSE-02", "24-11", "the first event names the other"],
    ["SSE-04", "24-11", "all that the server says is on the stream"],
    ["SSE-05", "24-11", "both check origins"],
    ["SSE-06", "24-11", "and who calls, on loopback by default"],
    ["SSE-09", "24-11", "a message taken is 202, one of no session 404"],
    ["SSE-14", "25-03+", "beside the newer transports"],
  ]),
];
