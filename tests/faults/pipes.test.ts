import { describe, expect, test } from "vitest";
import { leavesNothing } from "./census.js";
import { startServer } from "./server.js";
import { eras, meet, outcome, until } from "./victim.js";

describe.each(eras)("our client in the %s era", (era) => {
  test("a server that closes its stdout and lives on ends the calls, and is ended", async () => {
    await leavesNothing(async () => {
      const { client } = await meet(era, "outlive stdin");
      const others = Array.from({ length: 10 }, () => outcome(client.callTool("never")));
      expect(await outcome(client.callTool("close stdout"))).toBe("CLOSED");
      expect(new Set(await Promise.all(others))).toEqual(new Set(["CLOSED"]));
      await client.close();
    });
  });

  test("a server that closes its stdin and lives on ends the calls, and is ended", async () => {
    await leavesNothing(async () => {
      const { client } = await meet(era, "outlive stdin");
      let end: unknown;
      void outcome(client.callTool("close stdin")).then((code) => {
        end = code;
      });
      // a closed pipe is noticed by who writes to it
      await until(() => {
        void outcome(client.callTool("never"));
        return end !== undefined;
      });
      expect(end).toBe("CLOSED");
      expect(await outcome(client.callTool("never"))).toBe("CLOSED");
      await client.close();
    });
  });

  test("a server that is closed from the start ends the attempt to connect", async () => {
    expect(await leavesNothing(() => outcome(meet(era, "close stdout at the start")))).toBe("CLOSED");
  });

  test("a server that does not end with its stdin is ended", async () => {
    await leavesNothing(async () => {
      const { client } = await meet(era, "outlive stdin");
      await client.close();
    });
  });
});

describe.each(eras)("our server in the %s era", (era) => {
  test("ends when its stdin does, in the middle of a frame and of calls", async () => {
    await leavesNothing(async () => {
      const server = await startServer(era);
      for (let id = 1; id <= 100; id++) server.call(id, "hold", { name: `${id}` });
      server.child.stdin.end('{"jsonrpc":"2.0","id":');
      expect(await server.exit).toEqual([0, null]);
    });
  });

  test("ends when nobody reads its stdout any more", async () => {
    await leavesNothing(async () => {
      const server = await startServer(era);
      server.child.stdout.destroy();
      server.call(1, "echo", { text: "to nobody" });
      expect(await server.exit).toEqual([0, null]);
    });
  });

  test("ends when all its pipes are closed at once", async () => {
    await leavesNothing(async () => {
      const server = await startServer(era);
      server.call(1, "hold", { name: "held" });
      server.child.stdout.destroy();
      server.child.stdin.destroy();
      expect(await server.exit).toEqual([0, null]);
    });
  });
});
