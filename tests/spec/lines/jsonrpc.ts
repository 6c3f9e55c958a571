import { lines, type SpecLine } from "../line.js";

/** Group JR: what every message looks like, whatever it says. */
export const jsonrpc: readonly SpecLine[] = [
  ...lines("basic/index", [
    ["JR-01", "All", "`jsonrpc` is exactly 2.0, or the message is refused"],
    ["JR-02", "25-03+", "text is UTF-8, and broken UTF-8 is an error rather than mojibake"],
    ["JR-03", "All", "an id is a string or an integer"],
    ["JR-04", "All", "a null id makes an invalid request, not a notification"],
    ["JR-05", "L", "a session never sees one id twice"],
    ["JR-06", "M", "outstanding requests of one sender have different ids"],
    ["JR-07", "M", "ids of different callers have nothing to do with each other"],
    ["JR-08", "All", "an answer repeats the id with its JSON type"],
    ["JR-09", "All", "an answer has either a result or an error"],
    ["JR-10", "All", "a result is an object"],
    ["JR-11", "All", "an error has an integer code and a string message"],
    ["JR-12", "25-11+", "an error message is one short sentence"],
    ["JR-13", "All", "an error answer leaves the id out when it could not be read"],
    ["JR-14", "All", "an answer with a null or absent id is still read, as an error of the connection"],
    ["JR-15", "All", "a notification carries no id"],
    ["JR-16", "All", "a notification is never answered"],
    ["JR-17", "All", "params are an object or absent"],
    ["JR-18", "All", "members nobody knows are no reason to refuse"],
    ["JR-19", "All", "a response to nothing is reported and dropped"],
    ["JR-20", "All", "`__proto__` is a name like any other"],
    ["JR-27", "M", "a server of this era sends no request"],
    ["JR-28", "M", "a client of this era sends no response"],
    ["JR-29", "25-11+", "validators follow the TypeScript schema where the JSON one is wrong"],
    ["JR-30", "All", "the base protocol works with no feature at all"],
  ]),
  ...lines("2025-03-26 basic/index#batching", [
    ["JR-21", "25-03", "a session of this revision takes batches"],
    ["JR-22", "25-03", "we write an array only to answer one"],
    ["JR-23", "25-03", "the handshake is no part of a batch"],
    ["JR-24", "25-03", "odd batches are answered as JSON-RPC 2.0 shows"],
    ["JR-25", "24-11, 25-06+", "elsewhere an array is no message"],
    ["JR-26", "25-03–25-11", "the session's revision decides whether an array may come"],
  ]),
];
