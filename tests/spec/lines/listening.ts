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
    ["SUB-08", "M", "on a pipe what is heard is sorted by that id"],
    ["SUB-09", "M", "over HTTP it is checked too"],
    ["SUB-10", "M", "what is not honored is reported"],
    ["SUB-11", "M", "there may be several"],
    ["SUB-12", "M", "a server ends it with a result"],
    ["SUB-13", "M", "result, cancelled, or both in any order are an end in good order"],
    ["SUB-14", "M", "without either it is listened anew"],
    ["SUB-15", "M", "and all that was listened to may have changed"],
    ["SUB-16", "M", "a process that took another's place is asked again"],
    ["SUB-17", "M", "no progress and no log message is on it"],
    ["SUB-18", "M", "its answer is a stream of events, which is kept alive"],
    ["SUB-19", "M", "its errors come before it"],
    ["SUB-20", "M", "bursts are told once, and its number is bounded"],
    ["SUB-21", "M", "changes reach the listeners of every instance"],
    ["SUB-22", "M", "it ends with the right to it"],
    ["SUB-23", "M", "it may be given up before it is acknowledged"],
  ]),
  ...lines("basic/patterns/cancellation", [
    ["CAN-16", "M", "a stream of changes has no timeout"],
    ["CAN-17", "M", "a server cancels nothing but such a stream"],
    ["CAN-18", "M", "and a client ignores any other"],
    ["CAN-19", "M", "on a pipe after its result"],
  ]),
  ...lines("basic/patterns/progress", [["PRG-11", "M", "progress is told on its request's stream only"]]),
  ...lines("basic/transports/stdio", [
    ["STD-13", "M", "each of several hears its own"],
    ["STD-21", "M", "they are asked for again after a restart"],
  ]),
  ...lines("basic/utilities/ping", [
    ["LC-18", "L", "who does not answer a ping may be taken for dead"],
    ["LC-19", "L", "pings are as frequent as is wished, and failures are told"],
  ]),
  ...lines("basic", [["META-11", "M", "every notification on it is tagged"]]),
  ...lines("server/tools", [["TOOL-37", "All", "that the tools changed is told"]]),
  ...lines("server/resources", [["RSC-13", "M", "to subscribe is to listen for URIs"]]),
];
