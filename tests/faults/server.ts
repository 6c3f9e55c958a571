import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import type { JsonObject } from "@parlance/jsonrpc";
import type { EraName } from "@parlance/protocol-versions";
import { afterAll } from "vitest";
import { buildProgram } from "../matrix/transports.js";

const program = buildProgram();
afterAll(program.remove);

const handshakeParams = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "faults", version: "1.0.0" },
};
const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** Our server of the matrix as a child, whose pipes are the test's to mistreat. */
export interface ServerTrial {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  /** Resolves with the code and signal that it ends with. */
  readonly exit: Promise<readonly unknown[]>;
  /** Sends a message as it is. */
  send(message: JsonObject): boolean;
  /** Sends a call of a tool. @returns whether the pipe wants more */
  call(id: number, name: string, args: JsonObject): boolean;
  /** Reads on, and resolves with as many answers, when they have come. */
  answers(count: number): Promise<readonly JsonObject[]>;
}

export async function startServer(era: EraName): Promise<ServerTrial> {
  const child = spawn(process.execPath, [program.file], { stdio: ["pipe", "pipe", "inherit"] });
  const exit = once(child, "exit");
  child.stdin.on("error", () => undefined);
  const send = (message: JsonObject): boolean =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  if (era === "handshake") {
    send({ id: 0, method: "initialize", params: handshakeParams });
    send({ method: "notifications/initialized" });
  } else send({ id: 0, method: "server/discover", params: { _meta: envelope } });
  for (let opening = ""; !opening.includes("\n"); opening += child.stdout.read() ?? "") {
    await once(child.stdout, "readable");
  }
  return {
    child,
    exit,
    send,
    call: (id, name, args) => {
      const params = { name, arguments: args, ...(era === "stateless" ? { _meta: envelope } : {}) };
      return send({ id, method: "tools/call", params });
    },
    answers: async (count) => {
      const answers: JsonObject[] = [];
      for await (const line of createInterface({ input: child.stdout })) {
        answers.push(JSON.parse(line));
        if (answers.length === count) break;
      }
      return answers;
    },
  };
}
