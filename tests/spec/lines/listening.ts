import { lines, type SpecLine } from "../line.js";

/** Group SUB, and what other groups ask of a stream of changes. */
export const listening: readonly SpecLine[] = [
  ...lines("basic/patterns/subscriptions", [
    ["SUB-01", "M", "who listens says for what"],
    ["SUB-02", "M", "first comes what is honored of it"],
    ["SUB-03", "M", "and nothing before that"],
    ["SUB-04", "M", "what cannot be served is left out"],
    ["SUB-05", "M", "nothing honored is no error"],
    ["SUB-06", "M", "nothing comes that was not asked for"],
    ["SUB-07", "M", "all of it carries the id of the request"],
    ["SUB-12", "M", "a server ends it with a result"],
    ["SUB-17", "M", "no progress and no log message is on it"],
    ["SUB-19", "M", "its errors come before it"],
    ["SUB-20", "M", "bursts are told once, and its number is bounded"],
    ["SUB-21", "M", "changes reach the listeners of every instance"],
    ["SUB-22", "M", "it ends with the right to it"],
  ]),
  ...lines("basic/patterns/cancellation", [
    ["CAN-17", "M", "a server cancels nothing but such a stream"],
    ["CAN-19", "M", "on a pipe after its result"],
  ]),
  ...lines("basic/patterns/progress", [["PRG-11", "M", "progress is told on its request's stream only"]]),
  ...lines("basic", [["META-11", "M", "every notification on it is tagged"]]),
  ...lines("server/tools", [["TOOL-37", "All", "that the tools changed is told"]]),
  ...lines("server/resources", [["RSC-13", "M", "to subscribe is to listen for URIs"]]),
];
