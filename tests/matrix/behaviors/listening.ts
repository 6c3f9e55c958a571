import { type ListenEvent, listen, listPrompts, listResources, restarting } from "@parlance/client";
import { expect } from "vitest";
import { type Behavior, failure, say } from "../behavior.js";

const all = { toolsListChanged: true, resourceSubscriptions: ["note://one"] };

/** What is heard without being asked for each time. */
export const listening: readonly Behavior[] = [
  {
    title: "RSC-13, TOOL-37: changes of lists and resources are heard by whoever listens, until it listens no more",
    run: async (_, { connect }) => {
      const { client } = await connect();
      const { on, heard } = hearing();
      const { honored, close } = await listen(client, all, on);
      expect(honored).toEqual(all);
      await client.callTool("grow");
      await heard(1);
      await client.callTool("touch", { name: "one" });
      await client.callTool("touch", { name: "two" });
      expect(await heard(2)).toEqual([{ type: "tools" }, { type: "resource", uri: "note://one" }]);
      expect(await say(client, "listeners")).toBe("1");
      await close();
      await client.callTool("unheard");
      expect(await say(client, "listeners")).toBe("0");
      await client.close();
    },
  },
  {
    title: "resources and prompts that come and go are heard of, by those who asked for them",
    run: async (_, { connect }) => {
      const { client } = await connect();
      const { on, heard } = hearing();
      const { honored, close } = await listen(client, { promptsListChanged: true, resourcesListChanged: true }, on);
      expect(honored).toEqual({ promptsListChanged: true, resourcesListChanged: true });
      await client.callTool("grow");
      await client.callTool("publish");
      await heard(1);
      await client.callTool("teach");
      expect(await heard(2)).toEqual([{ type: "resources" }, { type: "prompts" }]);
      expect((await listResources(client)).map(({ name }) => name)).toContain("published");
      expect((await listPrompts(client)).map(({ name }) => name)).toContain("taught");
      await close();
      await client.close();
    },
  },
  {
    title: "SUB-14, SUB-15: a server that ended and is there again is listened to anew, and what was missed is said",
    run: async (_, { connect }) => {
      const { client } = await connect({ restart: restarting() });
      const { on, heard } = hearing();
      const { close } = await listen(client, all, on, { delayMs: 1 });
      await failure(client.callTool("quit"));
      // over HTTP a session is found to be gone when something is asked in it, or on its stream
      await client.callTool("echo", { text: "" });
      expect(await heard(1)).toEqual([{ type: "resync" }]);
      await client.callTool("touch", { name: "one" });
      await heard(2, ({ type }) => type === "resource");
      await close();
      await client.close();
    },
  },
];

interface Hearing {
  on(event: ListenEvent): void;
  /** Settles when so many came, the last of them such a one. */
  heard(count: number, last?: (event: ListenEvent) => boolean): Promise<readonly ListenEvent[]>;
}

function hearing(): Hearing {
  const events: ListenEvent[] = [];
  let check = (): void => undefined;
  return {
    on: (event) => {
      events.push(event);
      check();
    },
    heard: (count, last = () => true) =>
      new Promise((resolve) => {
        check = () => {
          const latest = events.at(-1);
          if (events.length >= count && latest !== undefined && last(latest)) resolve([...events]);
        };
        check();
      }),
  };
}
