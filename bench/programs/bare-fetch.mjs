import { answer } from "./bare-answer.mjs";

export async function handle(request) {
  const message = JSON.parse(await request.text());
  const body = JSON.stringify({ jsonrpc: "2.0", id: message.id, result: answer(message) });
  return new Response(body, { headers: { "content-type": "application/json" } });
}
