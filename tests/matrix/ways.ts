import { existsSync } from "node:fs";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { connect, memoryPair, type Transport } from "@parlance/jsonrpc";
import { spawn, streams } from "@parlance/transport-stdio";
import { createBox } from "../black-box/box.js";

const program = fileURLToPath(new URL("../black-box/dist/server.js", import.meta.url));

/** The ways to the black-box server, each opened anew: this is where a new transport becomes a row of the matrix. */
export const ways: Readonly<Record<string, () => Promise<Transport>>> = {
  memory: async () => {
    const [near, far] = memoryPair();
    await connect(far, createBox(undefined));
    return near;
  },
  streams: async () => {
    const [there, back] = [new PassThrough(), new PassThrough()];
    await connect(streams({ readable: there, writable: back }), createBox(undefined));
    return streams({ readable: back, writable: there });
  },
  process: async () => {
    if (!existsSync(program)) throw new Error(`${program} is not there; run pnpm build first`);
    return spawn({ command: process.execPath, args: [program, "stdio"] });
  },
};
