import type { ServerResponse } from "node:http";
import type { HttpReply, TextWriter } from "../http.js";

/** Sends an answer; settles when all of it was handed to the socket, or the caller is gone. */
export async function sendReply(reply: HttpReply, response: ServerResponse): Promise<void> {
  const { status, headers, body } = reply;
  if (response.destroyed) return;
  if (typeof body !== "function") {
    const length = body === undefined ? 0 : Buffer.byteLength(body);
    // 204 and 304 have no body, so they have no length
    response.writeHead(status, status === 204 ? headers : { ...headers, "content-length": length }).end(body);
    return;
  }
  response.writeHead(status, headers);
  response.flushHeaders();
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
