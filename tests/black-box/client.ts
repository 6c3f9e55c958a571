// The client of the black-box programs: one operation a line on stdin, one answer a line on stdout.
import { createInterface } from "node:readline";
import { type Client, connectClient, handshake, listTools, stateless } from "@parlance/client";
import { type Dial, type JsonObject, over } from "@parlance/jsonrpc";
import { http } from "@parlance/transport-http/node";
import { spawn } from "@parlance/transport-stdio";
import { readEras } from "./era.js";

type Where =
  | { readonly kind: "stdio"; readonly command: string; readonly args?: readonly string[] }
  | { readonly kind: "http"; readonly url: string };

type Operation = { readonly n: number } & (
  | {
      readonly op: "connect";
      readonly era: string;
      readonly transport: Where;
      readonly timeoutMs?: number;
      readonly auth?: JsonObject;
    }
  | { readonly op: "listTools" }
  | {
      readonly op: "callTool";
      readonly name: string;
      readonly arguments?: JsonObject;
      readonly timeoutMs?: number;
      readonly progress?: boolean;
    }
  | { readonly op: "close" }
);

let connecting: Promise<Client> | undefined;

async function client(): Promise<Client> {
  if (connecting === undefined) throw new Error("not connected; the first operation is connect");
  return connecting;
}

async function run(operation: Operation): Promise<unknown> {
  switch (operation.op) {
    case "connect":
      connecting = open(operation);
      return (await connecting).server;
    case "listTools":
      return listTools(await client());
    case "callTool": {
      const { n, name, timeoutMs, progress } = operation;
      const onProgress = (done: number, total?: number, message?: string): void =>
        print({ event: "progress", of: n, value: { progress: done, total, message } });
      return (await client()).callTool(name, operation.arguments, {
        timeoutMs,
        onProgress: progress === true ? onProgress : undefined,
      });
    }
    case "close":
      return (await client()).close();
    default:
      throw new Error(`operation ${JSON.stringify(operation)} is none of: connect, listTools, callTool, close`);
  }
}

async function open({ transport, era, timeoutMs, auth }: Operation & { readonly op: "connect" }): Promise<Client> {
  if (auth !== undefined) throw new Error("auth is not built yet; leave it out");
  return connectClient({
    dial: dial(transport),
    info: { name: "black-box", version: "1.0.0" },
    eras: readEras({ stateless, handshake }, era),
    timeoutMs,
  });
}

function dial(where: Where): Dial {
  switch (where.kind) {
    case "stdio":
      return over(spawn({ command: where.command, args: where.args }));
    case "http":
      return http(where.url);
    default:
      throw new Error(`transport ${JSON.stringify(where)} is none of: stdio, http`);
  }
}

function print(line: JsonObject): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

async function answer(line: string): Promise<void> {
  let n: number | undefined;
  try {
    const operation: Operation = JSON.parse(line);
    n = operation.n;
    print({ n, ok: (await run(operation)) ?? null });
  } catch (error) {
    const { code, message, data, name } = error as { [key: string]: unknown };
    print({ n, error: { code, message, data, name } });
  }
}

for await (const line of createInterface({ input: process.stdin })) if (line.trim() !== "") void answer(line);
await connecting?.then(
  (client) => client.close(),
  () => undefined, // its failure was the answer to connect
);
