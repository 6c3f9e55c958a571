// The same without readline: bytes cut by hand, and one write for all that came in one chunk.
import { answer } from "./bare-answer.mjs";

let pieces = [];
process.stdin.on("data", (chunk) => {
  let answers = "";
  let from = 0;
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
    let line = chunk.toString("utf8", from, at);
    if (pieces.length > 0) {
      line = Buffer.concat([...pieces, chunk.subarray(from, at)]).toString();
      pieces = [];
    }
    from = at + 1;
    const message = JSON.parse(line);
    if (message.id === undefined) continue;
    answers += `${JSON.stringify({ jsonrpc: "2.0", id: message.id, result: answer(message) })}\n`;
  }
  if (from < chunk.length) pieces.push(chunk.subarray(from));
  if (answers !== "") process.stdout.write(answers);
});
