import { type ClientReport, restarting } from "@parlance/client";
import { expect } from "vitest";
import { type Behavior, failure, say } from "../behavior.js";

/** How a connection ends, and what comes after. */
export const ending: readonly Behavior[] = [
  {
    title: "closing rejects what is in flight, and everything after",
    run: async (_, { connect }) => {
      const { client } = await connect();
      const inFlight = Array.from({ length: 10 }, (_, n) => failure(client.callTool("hold", { name: `${n}` })));
      await client.ping();
      await client.close();
      for (const error of await Promise.all(inFlight)) expect(error).toMatchObject({ code: "CLOSED" });
      expect(await failure(client.callTool("echo", { text: "" }))).toMatchObject({ code: "CLOSED" });
    },
  },
  {
    title: "closing is idempotent",
    run: async (_, { connect }) => {
      const { client } = await connect();
      await Promise.all([client.close(), client.close()]);
      await client.close();
    },
  },
  {
    title: "a server that ends rejects what is in flight",
    run: async (_, { connect, isConnection }) => {
      const { client } = await connect();
      const inFlight = failure(client.callTool("hold", { name: "in flight" }));
      await client.callTool("held", { name: "in flight" });
      // a call that is by itself may still be told that the server ends, or find its stream ended
      const code = isConnection ? "CLOSED" : expect.stringMatching(/^(UNREACHABLE|BAD_REPLY|CLOSED)$/);
      expect(await failure(client.callTool("quit"))).toMatchObject({ code });
      expect(await inFlight).toMatchObject({ code });
      await client.close();
    },
  },
  {
    title: "a server that ended rejects everything after",
    needsConnection: true,
    run: async (_, { connect }) => {
      const { client } = await connect();
      await failure(client.callTool("quit"));
      expect(await failure(client.callTool("echo", { text: "" }))).toMatchObject({ code: "CLOSED" });
      await client.close();
    },
  },
  {
    title: "a server that ended is there again for the next call of a client that restarts, in the same revision",
    run: async (_, { connect, version, era, isConnection }) => {
      const reports: unknown[] = [];
      // the stream of a session breaks with its server, sooner or later
      const report = ({ kind }: ClientReport): void => void (kind === "stream_broken" || reports.push(kind));
      const { client } = await connect({ report, restart: restarting() });
      await failure(client.callTool("quit"));
      expect(await say(client, "look")).toBe(version);
      const session = era === "handshake" ? ["session_replaced"] : [];
      expect(reports).toEqual(isConnection ? ["server_lost", "server_restarted"] : session);
      await client.close();
    },
  },
];
