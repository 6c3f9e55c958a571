import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { type TransportPair, transportContract } from "@parlance/testing";
import { spawn, streams } from "@parlance/transport-stdio";
import { describe, test } from "vitest";

const relay = fileURLToPath(new URL("relay.mjs", import.meta.url));

/** The far end of a port that somebody is yet to connect to. */
async function listen() {
  const server = createServer({ allowHalfOpen: true });
  const arrived = once(server, "connection").then(([socket]: readonly Socket[]) => socket as Socket);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const release = async (): Promise<void> => {
    (await arrived).destroy();
    await new Promise((done) => server.close(done));
  };
  return { port, arrived, release };
}

const pairs: Readonly<Record<string, () => TransportPair | Promise<TransportPair>>> = {
  "streams over two pipes in memory": () => {
    const [there, back] = [new PassThrough(), new PassThrough()];
    return {
      near: streams({ readable: back, writable: there }),
      far: streams({ readable: there, writable: back }),
    };
  },

  "a child process, and streams over a socket": async () => {
    const { port, arrived, release } = await listen();
    return {
      near: spawn({ command: process.execPath, args: [relay, `${port}`] }),
      far: async (sink) => {
        const socket = await arrived;
        return streams({ readable: socket, writable: socket })(sink);
      },
      release,
    };
  },
};

describe.each(Object.entries(pairs))("%s", (_, open) => transportContract({ test, open }));
