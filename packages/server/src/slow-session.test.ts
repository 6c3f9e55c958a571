import { connect, type JsonObject, memoryPair } from "@parlance/jsonrpc";
import { watching } from "@parlance/protocol-versions";
import { expect, test } from "vitest";
import { announcing, changesOf, createServer, handshake } from "./index.js";

const info = { name: "slow", version: "1.0.0" };

test("a session that does not read is told each change once, when it reads again", async () => {
  const server = createServer({
    eras: [handshake()],
    info,
    features: [
      {
        ...announcing,
        capabilities: { resources: {}, tools: {} },
        promises: { resources: { listChanged: true, subscribe: true }, tools: { listChanged: true } },
        methods: {},
        watching: watching(() => () => {}),
      },
    ],
  });
  const [near, far] = memoryPair();
  const heard: (string | undefined)[] = [];
  let held: Promise<void> | undefined;
  let go = (): void => {};
  const channel = await near({
    frame: (text) => {
      const { method }: { method?: string } = JSON.parse(text);
      heard.push(method);
      return held;
    },
    lost: () => {},
    closed: () => {},
  });
  const served = await connect(far, server);
  const send = async (message: JsonObject): Promise<void> => {
    await channel.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
    await turns();
  };
  await send({
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: info },
  });
  await send({ method: "notifications/initialized" });
  await send({ id: 2, method: "resources/subscribe", params: { uri: "a:1" } });
  heard.length = 0;
  held = new Promise((resolve) => {
    go = resolve;
  });
  for (let at = 0; at < 100; at += 1) {
    changesOf(server).resource("a:1");
    changesOf(server).tools();
    await turns();
  }
  held = undefined;
  go();
  await turns(1_000);
  const updated = heard.filter((method) => method === "notifications/resources/updated");
  const changed = heard.filter((method) => method === "notifications/tools/list_changed");
  expect(updated.length + changed.length).toBe(heard.length);
  expect(updated.length).toBeGreaterThan(1);
  expect(updated.length).toBeLessThan(5);
  expect(changed.length).toBeGreaterThan(1);
  expect(changed.length).toBeLessThan(5);
  await served.close();
  await server.close();
});

/** What was set off is done: nothing here waits for more than promises. */
async function turns(count = 10): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
}
