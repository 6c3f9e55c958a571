// The yardstick: what one writes in five minutes.
import { createInterface } from "node:readline";
import { answer } from "./bare-answer.mjs";

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.id === undefined) return;
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: message.id, result: answer(message) })}\n`);
});
