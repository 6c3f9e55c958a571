import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { connect, memoryPair, over, type Transport } from "@parlance/jsonrpc";
import { type RecordedFrame, record } from "@parlance/testing";
import { spawn, streams } from "@parlance/transport-stdio";
import { buildSync } from "esbuild";
import { revisions, type Way } from "./behavior.js";
import { createMatrixServer } from "./server.js";
import { openPipeWire } from "./wire.js";

/** A pipe to the server of the matrix: each connection reaches a new one. */
interface Pipe {
  readonly transport: Transport;
  release(): void;
}

/** The transports that every behavior is tried over. A new one is an entry. */
export const transports: Readonly<Record<string, () => Pipe>> = {
  memory: () =>
    inThisProcess(() => {
      const [near, far] = memoryPair();
      return { near, far };
    }),

  streams: () =>
    inThisProcess(() => {
      const [there, back] = [new PassThrough(), new PassThrough()];
      return {
        near: streams({ readable: back, writable: there }),
        far: streams({ readable: there, writable: back }),
      };
    }),

  stdio: () => {
    const { file, remove } = buildProgram();
    return { transport: spawn({ command: process.execPath, args: [file] }), release: remove };
  },
};

function inThisProcess(pair: () => { readonly near: Transport; readonly far: Transport }): Pipe {
  const transport: Transport = async (sink) => {
    const { near, far } = pair();
    const peer = await connect(
      far,
      createMatrixServer(() => void peer.close()),
    );
    return near(sink);
  };
  return { transport, release: () => undefined };
}

/** How the behaviors reach the server over a pipe: it carries every revision. */
export function wayOf(reach: () => Pipe): Way {
  let reached: Pipe | undefined;
  const pipe = (): Pipe => (reached ??= reach());
  return {
    revisions,
    isConnection: true,
    dial: (frames: RecordedFrame[]) => over(record(pipe().transport, frames).transport),
    wire: () => openPipeWire(pipe().transport),
    release: async () => reached?.release(),
  };
}

const matrixServer = new URL("program.ts", import.meta.url);

/** Makes the server, or another, a program that Node runs: children know neither TypeScript nor the `source` condition. */
export function buildProgram(source: URL = matrixServer): { readonly file: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "parlance-matrix-"));
  const file = join(folder, "program.mjs");
  buildSync({
    entryPoints: [fileURLToPath(source)],
    outfile: file,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["source"],
  });
  return { file, remove: () => rmSync(folder, { recursive: true }) };
}
