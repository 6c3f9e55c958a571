import { extension } from "@parlance/protocol-versions";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  type ChangeBus,
  changesOf,
  createChangeBus,
  createPrompts,
  createResources,
  createServer,
  type FeatureSet,
  listening,
  prompt,
  type Server,
  stateless,
} from "./index.js";
import { connectListener, envelope, type Heard, subscriptionId } from "./listener.fixture.js";

const tools: FeatureSet = { capabilities: { tools: {} }, promises: { tools: { listChanged: true } }, methods: {} };
const all = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
const acknowledged = "notifications/subscriptions/acknowledged";

function serving(features: readonly FeatureSet[] = [tools, listening()], changes?: ChangeBus): Server {
  return createServer({ info: { name: "s", version: "1" }, features, changes, eras: [stateless()] });
}

const idOf = ({ params }: Heard): unknown => params?._meta?.[subscriptionId];
const methods = (heard: readonly Heard[]): unknown[] => heard.map(({ method }) => method);

/** Until what was announced in this turn is told. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
}

afterEach(() => {
  vi.useRealTimers();
});

describe("the acknowledgement", () => {
  test("SUB-01, SUB-02: the first message is the acknowledgement, with the id and what is honored", async () => {
    const { listen, came } = await connectListener(serving());
    listen("s1", { toolsListChanged: true });
    const [first] = await came(1);
    expect(first).toEqual({
      jsonrpc: "2.0",
      method: acknowledged,
      params: { _meta: { [subscriptionId]: "s1" }, notifications: { toolsListChanged: true } },
    });
  });

  test("SUB-03: nothing for a subscription comes before it", async () => {
    const server = serving();
    const { listen, came } = await connectListener(server);
    listen(1, { toolsListChanged: true });
    changesOf(server).tools();
    await settled();
    changesOf(server).tools();
    expect(methods(await came(2))).toEqual([acknowledged, "notifications/tools/list_changed"]);
  });

  test("SUB-04: what the server cannot serve is left out, and is no false", async () => {
    const { listen, came } = await connectListener(serving());
    listen(1, { ...all, resourceSubscriptions: ["file:///a"] });
    const [first] = await came(1);
    expect(first?.params.notifications).toEqual({ toolsListChanged: true });
  });

  test("SUB-05: a listen of which nothing is honored is acknowledged and stays open", async () => {
    const server = serving();
    const { listen, came, heard } = await connectListener(server);
    listen(1, { promptsListChanged: true });
    listen(2, {});
    listen(3, { toolsListChanged: false });
    await came(3);
    expect(heard.map(({ params }) => params.notifications)).toEqual([{}, {}, {}]);
    changesOf(server).prompts();
    changesOf(server).tools();
    await settled();
    expect(heard).toHaveLength(3);
  });

  test("RSC-13, SUB-04: URIs are honored where single resources can be watched, and those that are there", async () => {
    const resources = createResources([{ uri: "config://a", name: "a", read: () => "1" }], { watch: true });
    const { listen, came } = await connectListener(serving([resources]));
    listen(1, { resourceSubscriptions: ["config://a", "config://b"], toolsListChanged: true });
    const [first] = await came(1);
    expect(first?.params.notifications).toEqual({ resourceSubscriptions: ["config://a"] });
  });

  test.each([
    [undefined],
    [[]],
    [{ toolsListChanged: "yes" }],
    [{ resourceSubscriptions: "config://a" }],
    [{ resourceSubscriptions: [1] }],
  ])("SUB-19: %o is no filter: an error comes, and nothing before it", async (filter) => {
    const { listen, came } = await connectListener(serving());
    listen(1, filter);
    const [first] = await came(1);
    expect(first).toMatchObject({ id: 1, error: { code: -32602 } });
  });

  test("without listening() there is no such method, and nothing is promised", async () => {
    const { send, listen, came } = await connectListener(serving([tools]));
    listen(1, all);
    const [refused] = await came(1);
    expect(refused).toMatchObject({ error: { code: -32601 } });
    send({ id: 2, method: "server/discover", params: { _meta: envelope } });
    expect((await came(2))[1]?.result.capabilities).toEqual({ tools: {} });
  });
});

describe("what is told", () => {
  test("SUB-06, TOOL-37, PRM-10: each stream hears what it asked for and nothing else", async () => {
    const server = serving([tools, createPrompts([]), createResources([])]);
    const { listen, came } = await connectListener(server);
    listen("tools", { toolsListChanged: true });
    listen("prompts", { promptsListChanged: true });
    await came(2);
    changesOf(server).resources();
    changesOf(server).prompts();
    changesOf(server).tools();
    const heard = (await came(4)).slice(2);
    expect(heard.map((one) => [one.method, idOf(one)])).toEqual(
      expect.arrayContaining([
        ["notifications/tools/list_changed", "tools"],
        ["notifications/prompts/list_changed", "prompts"],
      ]),
    );
    await settled();
    expect(await came(4)).toHaveLength(4);
  });

  test("SUB-07, META-11: the id of every notification and of the result is the request's, of the same JSON type", async () => {
    const server = serving();
    const { listen, came } = await connectListener(server);
    listen(1, { toolsListChanged: true });
    listen("1", { toolsListChanged: true });
    await came(2);
    changesOf(server).tools();
    await came(4);
    await server.close();
    const heard = await came(8);
    expect(heard.slice(0, 4).map(idOf)).toEqual([1, "1", 1, "1"]);
    const results = heard.filter(({ result }) => result !== undefined);
    expect(results.map(({ id, result }) => [id, result._meta[subscriptionId]])).toEqual([
      [1, 1],
      ["1", "1"],
    ]);
  });

  test("RSC-13: a watched resource is told by its URI, and the hooks hear of first and last", async () => {
    const hooks: string[] = [];
    const resources = createResources([{ uri: "config://a", name: "a", read: () => "1" }], {
      watch: (uri) => {
        hooks.push(`first ${uri}`);
        return () => hooks.push(`last ${uri}`);
      },
    });
    const { listen, came, send } = await connectListener(serving([resources]));
    listen(1, { resourceSubscriptions: ["config://a"] });
    listen(2, { resourceSubscriptions: ["config://a"] });
    await came(2);
    resources.updated("config://a");
    resources.updated("config://b");
    const heard = (await came(4)).slice(2);
    expect(heard.map(({ params }) => [params.uri, params._meta[subscriptionId]])).toEqual([
      ["config://a", 1],
      ["config://a", 2],
    ]);
    for (const requestId of [1, 2]) send({ method: "notifications/cancelled", params: { requestId } });
    await settled();
    expect(hooks).toEqual(["first config://a", "last config://a"]);
  });

  test("SUB-17, PRG-11, LOG-09: no progress and no log message is on a listen stream", async () => {
    const resources = createResources([{ uri: "config://a", name: "a", read: () => "1" }], {
      watch: true,
      visible: (_, call) => {
        void call.progress(1);
        void call.log("error", "seen");
        return true;
      },
    });
    const { send, came, heard } = await connectListener(serving([resources]));
    const meta = { ...envelope, progressToken: 7, "io.modelcontextprotocol/logLevel": "debug" };
    send({
      id: 1,
      method: "subscriptions/listen",
      params: { notifications: { resourceSubscriptions: ["config://a"] }, _meta: meta },
    });
    await came(1);
    await settled();
    expect(methods(heard)).toEqual([acknowledged]);
  });

  test("SUB-20: changes of one turn are told once", async () => {
    const server = serving();
    const { listen, came, heard } = await connectListener(server);
    listen(1, { toolsListChanged: true });
    await came(1);
    for (let count = 0; count < 1_000; count += 1) changesOf(server).tools();
    await settled();
    expect(heard).toHaveLength(2);
  });

  test("SUB-20: a reader that is behind holds up nobody, and hears once what it missed", async () => {
    const server = serving();
    const [slow, quick] = await Promise.all([connectListener(server), connectListener(server)]);
    for (const { listen } of [slow, quick]) listen(1, { toolsListChanged: true });
    await Promise.all([slow.came(1), quick.came(1)]);
    const { go } = slow.holdBack();
    for (let count = 1; count <= 100; count += 1) {
      changesOf(server).tools();
      await quick.came(1 + count);
    }
    const whileBehind = slow.heard.length;
    expect(whileBehind).toBeLessThanOrEqual(2);
    go();
    await slow.came(whileBehind + 1);
    await settled();
    expect(slow.heard.length).toBeLessThanOrEqual(4);
  });

  test("SUB-20: a connection has a hundred streams at most", async () => {
    const { listen, came, send, heard } = await connectListener(serving());
    for (let id = 1; id <= 101; id += 1) listen(id, {});
    const last = (await came(101)).find(({ error }) => error !== undefined);
    expect(last?.id).toBe(101);
    expect(last?.error?.message).toContain("the limit is 100");
    send({ method: "notifications/cancelled", params: { requestId: 1 } });
    await settled();
    listen(102, {});
    await came(102);
    expect(heard.at(-1)?.method).toBe(acknowledged);
  });

  test("SUB-21: one bus serves the listeners of several servers", async () => {
    const bus = createChangeBus();
    const [here, there] = [serving([tools, listening()], bus), serving([tools, listening()], bus)];
    const { listen, came } = await connectListener(there);
    listen(1, { toolsListChanged: true });
    await came(1);
    changesOf(here).tools();
    expect(methods(await came(2))[1]).toBe("notifications/tools/list_changed");
  });
});

describe("the end", () => {
  test("SUB-12, CAN-19, BUG-178: a server that closes ends each with its result, and on a pipe with cancelled after it", async () => {
    const server = serving();
    const { listen, came } = await connectListener(server);
    listen("s1", { toolsListChanged: true });
    await came(1);
    await server.close();
    expect((await came(3)).slice(1)).toMatchObject([
      {
        id: "s1",
        result: {
          resultType: "complete",
          _meta: { [subscriptionId]: "s1", "io.modelcontextprotocol/serverInfo": { name: "s" } },
        },
      },
      { method: "notifications/cancelled", params: { requestId: "s1" } },
    ]);
  });

  test("CAN-17: a cancelled listen is not answered, and nothing more is told", async () => {
    const server = serving();
    const { listen, came, send, heard } = await connectListener(server);
    listen(1, { toolsListChanged: true });
    await came(1);
    send({ method: "notifications/cancelled", params: { requestId: 1 } });
    await settled();
    changesOf(server).tools();
    await settled();
    expect(heard).toHaveLength(1);
    await server.close();
    expect(heard).toHaveLength(1);
  });

  test("SUB-22: it ends with the right to listen", async () => {
    vi.useFakeTimers();
    const principal = { id: "p", scopes: [], expiresAtMs: Date.now() + 3_600_000 };
    const { listen, heard } = await connectListener(serving(), principal);
    listen(1, { toolsListChanged: true });
    await vi.advanceTimersByTimeAsync(3_599_999);
    expect(heard).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(heard[1]).toMatchObject({ id: 1, result: { resultType: "complete" } });
  });

  test("streams that were cut leave nothing behind", async () => {
    let subscribed = 0;
    const bus = createChangeBus();
    const counting: ChangeBus = {
      publish: bus.publish,
      subscribe: (listener) => {
        subscribed += 1;
        const end = bus.subscribe(listener);
        return () => {
          subscribed -= 1;
          end();
        };
      },
    };
    const resources = createResources([{ uri: "config://a", name: "a", read: () => "1" }], { watch: true });
    const server = serving([resources], counting);
    for (let round = 0; round < 20; round += 1) {
      const { listen, came, end } = await connectListener(server);
      listen(1, { resourcesListChanged: true, resourceSubscriptions: ["config://a"] });
      await came(1);
      await end();
    }
    await settled();
    expect(subscribed).toBe(0);
  });
});

describe("an extension", () => {
  const id = "com.example/jobs";
  const jobs = extension({ id, listens: { jobIds: (asked) => asked.filter((job) => job !== "foreign") } });

  test("adds a key to the filter, and what it tells goes to whoever asked for that value", async () => {
    const bus = createChangeBus();
    const { send, came } = await connectListener(serving([jobs, listening()], bus));
    const meta = { ...envelope, "io.modelcontextprotocol/clientCapabilities": { extensions: { [id]: {} } } };
    const params = { notifications: { jobIds: ["a", "foreign"] }, _meta: meta };
    send({ id: 1, method: "subscriptions/listen", params });
    const [first] = await came(1);
    expect(first?.params.notifications).toEqual({ jobIds: ["a"] });
    for (const value of ["a", "b"]) {
      const key = { name: "jobIds", value };
      const job = { jobId: value, _meta: { note: 1 } };
      bus.publish({ type: "extension", method: "notifications/jobs", params: job, key });
    }
    expect((await came(2))[1]).toEqual({
      jsonrpc: "2.0",
      method: "notifications/jobs",
      params: { _meta: { note: 1, [subscriptionId]: 1 }, jobId: "a" },
    });
    await settled();
    expect(await came(2)).toHaveLength(2);
  });

  test("may refuse before anything is said", async () => {
    const { listen, came } = await connectListener(serving([jobs, listening()]));
    listen(1, { jobIds: ["a"] });
    expect((await came(1))[0]).toMatchObject({ id: 1, error: { code: -32021 } });
  });
});

test("prompts and resources bring it along", async () => {
  const server = serving([createPrompts([prompt({ name: "p", get: () => "hi" })])]);
  const { listen, came } = await connectListener(server);
  listen(1, all);
  expect((await came(1))[0]?.params.notifications).toEqual({ promptsListChanged: true });
});
