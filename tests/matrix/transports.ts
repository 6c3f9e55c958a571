import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { connect, memoryPair, type Transport } from "@parlance/jsonrpc";
import { spawn, streams } from "@parlance/transport-stdio";
import { buildSync } from "esbuild";
import { createMatrixServer } from "./server.js";

/** A way to reach the server of the matrix: each connection reaches a new one. */
export interface Way {
  readonly transport: Transport;
  release(): void;
}

/** The transports that every behavior is tried over. A new one is an entry. */
export const transports: Readonly<Record<string, () => Way>> = {
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

function inThisProcess(pair: () => { readonly near: Transport; readonly far: Transport }): Way {
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

/** Makes the server a program that Node runs: children know neither TypeScript nor the `source` condition. */
export function buildProgram(): { readonly file: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "parlance-matrix-"));
  const file = join(folder, "program.mjs");
  buildSync({
    entryPoints: [join(import.meta.dirname, "program.ts")],
    outfile: file,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["source"],
  });
  return { file, remove: () => rmSync(folder, { recursive: true }) };
}
