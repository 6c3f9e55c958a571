import type { ServerResponse } from "node:http";
import type { HttpReply, TextWriter } from "../http.js";

/**
 * Sends an answer. Nothing returned: it was handed over. A promise: its body streams until that settles.
 */
export function sendReply({ status, headers, body }: HttpReply, response: ServerResponse): Promise<void> | undefined {
  if (typeof body === "function") return stream(status, headers, body, response);
  if (response.destroyed) return undefined;
  // a flat list is what Node writes with the least ado
  const head: string[] = [];
  for (const name in headers) head.push(name, headers[name] ?? "");
  // 204 has no body, so it has no length
  if (status !== 204) head.push("content-length", String(Buffer.byteLength(body ?? "")));
  response.writeHead(status, head).end(body);
  return undefined;
}

/** A body is run also when nobody is there any more: it is what notices and lets go of what it holds. */
async function stream(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: (out: TextWriter) => Promise<void>,
  response: ServerResponse,
): Promise<void> {
  if (!response.destroyed) {
    response.writeHead(status, headers);
    response.flushHeaders();
  }
  await body(writer(response));
  if (!response.destroyed) response.end();
}

function writer(response: ServerResponse): TextWriter {
  return {
    write(text) {
      if (response.destroyed || response.write(text)) return undefined;
      return new Promise<void>((resolve) => {
        const settle = (): void => {
          response.off("drain", settle).off("close", settle);
          resolve();
        };
        response.on("drain", settle).on("close", settle);
      });
    },
  };
}
