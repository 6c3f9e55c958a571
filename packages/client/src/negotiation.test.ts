import { LocalError, type LocalErrorCode } from "@parlance/jsonrpc";
import { handshakeClient, type ProtocolVersion, statelessClient } from "@parlance/protocol-versions";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Client } from "./client.js";
import { type ClientOptions, connectClient } from "./connect.js";
import {
  createScriptedServer,
  discovered,
  fail,
  handshakeAnswers,
  initialized,
  ok,
  type Reaction,
  type ScriptedServer,
  statelessAnswers,
} from "./scripted-server.fixture.js";
import { remembering } from "./verdict.js";

const info = { name: "test", version: "1" };

afterEach(() => void vi.useRealTimers());

function connectTo(server: ScriptedServer, options: Partial<ClientOptions> = {}): Promise<Client> {
  return connectClient({ dial: server.dial, info, ...options });
}

async function failure(promise: Promise<unknown>): Promise<LocalError> {
  const error: unknown = await promise.then(
    () => new Error("it did not fail"),
    (reason: unknown) => reason,
  );
  if (error instanceof LocalError) return error;
  throw error;
}

function unsupported(supported: readonly unknown[], requested = "2026-07-28"): Reaction {
  return fail(-32022, "Unsupported protocol version", { supported, requested });
}

test("VER-C-09: a dual client writes the probe before anything else, and VER-C-01, VER-C-02: whole", async () => {
  const server = createScriptedServer(statelessAnswers);
  const client = await connectTo(server, { capabilities: { roots: {} } });
  expect(server.received).toEqual([
    {
      jsonrpc: "2.0",
      id: expect.anything(),
      method: "server/discover",
      params: {
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": info,
          "io.modelcontextprotocol/clientCapabilities": { roots: {} },
        },
      },
    },
  ]);
  expect(client.server).toEqual({
    era: "stateless",
    version: "2026-07-28",
    info: { name: "scripted", version: "1" },
    capabilities: { tools: {} },
    instructions: "Be brief",
  });
  expect(server.runs).toHaveLength(1);
});

test("VER-C-10: a client that speaks only the stateless era also probes, and no tool runs on a server that does not", async () => {
  const server = createScriptedServer({ ...handshakeAnswers, "tools/call": ok({ content: [] }) });
  const error = await failure(connectTo(server, { eras: [statelessClient()] }));
  expect(error.code).toBe("VERSION_MISMATCH");
  expect(error.message).toContain("stateless: error -32601 Method not found");
  expect(server.methods).toEqual(["server/discover"]);
  expect(server.last.closed).toBe(true);
});

describe("VER-C-11, VER-C-13, BUG-161, BUG-163: whatever is no recognized error leads to the handshake at once, on the same pipe:", () => {
  const refusals: Readonly<Record<string, Reaction>> = {
    "-32601": fail(-32601),
    "-32602": fail(-32602, "initialize first"),
    "-32600": fail(-32600),
    "-32603": fail(-32603),
    "-32000": fail(-32000, "Bad Request: Server not initialized"),
    "-32001": fail(-32001),
    "an application's code": fail(7),
    "-32022 that lists nothing": fail(-32022),
    "-32022 with a list of no strings": unsupported([1, null]),
    "-32021 without the shape of capabilities": fail(-32021, "No", { requiredCapabilities: ["roots"] }),
    "an error with id null": { raw: '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"No"}}' },
    "an error without id": { raw: '{"jsonrpc":"2.0","error":{"code":-32700,"message":"No"}}' },
    "an empty result": ok({}),
    "supportedVersions that are no list": ok({ ...discovered, supportedVersions: "2026-07-28" }),
    "no supportedVersions": ok({ capabilities: {} }),
    "an empty list of versions": ok({ ...discovered, supportedVersions: [] }),
    "a result that is no object": ok([] as never),
    "a result that is null": { raw: '{"jsonrpc":"2.0","id":1,"result":null}' },
  };
  test.each(Object.entries(refusals))("%s", async (_, reaction) => {
    const server = createScriptedServer({ ...handshakeAnswers, "server/discover": reaction });
    const client = await connectTo(server);
    expect(client.server).toMatchObject({ era: "handshake", version: "2025-11-25" });
    expect(server.methods).toEqual(["server/discover", "initialize", "notifications/initialized"]);
    expect(server.runs).toHaveLength(1);
  });
});

describe("VER-C-12: a recognized error is the server's own, and no handshake follows it:", () => {
  test.each([
    ["a missing capability", fail(-32021, "Needs roots", { requiredCapabilities: { roots: {} } }), -32021],
    ["a header that differs", fail(-32020, "Headers differ"), -32020],
  ])("%s", async (_, reaction, code) => {
    const server = createScriptedServer({ ...handshakeAnswers, "server/discover": reaction });
    await expect(connectTo(server)).rejects.toMatchObject({ code, message: expect.any(String) });
    expect(server.methods).toEqual(["server/discover"]);
    expect(server.last.closed).toBe(true);
  });
});

describe("VER-C-05: when only a version of the handshake is in common, the handshake offers it", () => {
  test.each([
    ["in a refusal", unsupported(["2025-06-18", "2024-11-05"])],
    ["in the answer to the probe", ok({ ...discovered, supportedVersions: ["2027-01-01", "2025-06-18"] })],
  ])("%s", async (_, reaction) => {
    const server = createScriptedServer({
      "server/discover": reaction,
      initialize: (message) => ok({ ...initialized, protocolVersion: message.params?.["protocolVersion"] }),
    });
    const client = await connectTo(server);
    expect(client.server.version).toBe("2025-06-18");
    expect(server.received[1]?.params).toEqual({ protocolVersion: "2025-06-18", capabilities: {}, clientInfo: info });
  });
});

const newer = "2027-01-01" as ProtocolVersion;

test("VER-C-03: a refused version is retried with another stateless one that both know, without a handshake", async () => {
  const server = createScriptedServer({
    ...handshakeAnswers,
    "server/discover": ({ params }) =>
      params?._meta?.["io.modelcontextprotocol/protocolVersion"] === newer
        ? unsupported(["2026-07-28", "2025-11-25"], newer)
        : ok(discovered),
  });
  const client = await connectTo(server, {
    eras: [statelessClient({ versions: [newer, "2026-07-28"] }), handshakeClient()],
  });
  expect(client.server.version).toBe("2026-07-28");
  expect(server.methods).toEqual(["server/discover", "server/discover"]);
});

test("VER-C-04: a server that refuses every version is asked twice at most", async () => {
  const server = createScriptedServer({
    "server/discover": ({ params }) =>
      params?._meta?.["io.modelcontextprotocol/protocolVersion"] === newer
        ? unsupported(["2026-07-28"])
        : unsupported([newer]),
  });
  const error = await failure(connectTo(server, { eras: [statelessClient({ versions: [newer, "2026-07-28"] })] }));
  expect(error.code).toBe("VERSION_MISMATCH");
  expect(server.methods).toEqual(["server/discover", "server/discover"]);
});

test("BUG-169, VER-C-04: a refusal that lists the refused version is not retried, and a handshake version in it is used", async () => {
  const server = createScriptedServer({
    ...handshakeAnswers,
    "server/discover": unsupported(["2026-07-28", "2025-11-25"]),
  });
  const client = await connectTo(server);
  expect(client.server.version).toBe("2025-11-25");
  expect(server.methods).toEqual(["server/discover", "initialize", "notifications/initialized"]);
});

test("BUG-169, VER-C-04: a refusal that lists only the refused version is asked once more, and then reported as it is", async () => {
  const server = createScriptedServer({ ...handshakeAnswers, "server/discover": unsupported(["2026-07-28"]) });
  await expect(connectTo(server)).rejects.toMatchObject({ code: -32022 });
  expect(server.methods).toEqual(["server/discover", "server/discover"]);
});

test("VER-C-03: a refusal of what the server has after all does no harm", async () => {
  let asked = 0;
  const server = createScriptedServer({
    "server/discover": () => (asked++ === 0 ? unsupported(["2026-07-28"]) : ok(discovered)),
  });
  const client = await connectTo(server);
  expect(client.server.version).toBe("2026-07-28");
});

test("LC-07: an answer in the revision that is off by default says how to turn it on", async () => {
  const older = ok({ ...initialized, protocolVersion: "2025-03-26" });
  const server = createScriptedServer({ ...handshakeAnswers, initialize: older });
  const error = await failure(connectTo(server, { eras: [handshakeClient()] }));
  expect(error.message).toBe(
    'the server answered initialize with protocolVersion "2025-03-26"; this client speaks 2025-11-25, 2025-06-18, 2024-11-05; handshake({ batches }) among its eras speaks that one too',
  );
});

test("nothing in common is an error that names both lists", async () => {
  const server = createScriptedServer({
    ...handshakeAnswers,
    "server/discover": unsupported(["2030-01-01", "2029-01-01"]),
  });
  const error = await failure(connectTo(server));
  expect(error.code).toBe("VERSION_MISMATCH");
  expect(error.message).toBe(
    "the server speaks only 2030-01-01, 2029-01-01; this client speaks 2026-07-28, 2025-11-25, 2025-06-18, 2024-11-05; tried stateless: error -32022 Unsupported protocol version",
  );
  expect(error.details).toMatchObject({
    server: ["2030-01-01", "2029-01-01"],
    client: ["2026-07-28", "2025-11-25", "2025-06-18", "2024-11-05"],
  });
  expect(server.methods).toEqual(["server/discover"]);
});

describe("silence on the probe", () => {
  test("BUG-160, VER-C-11, VER-C-14: a silent server is initialized on the same pipe, and a late answer is dropped", async () => {
    vi.useFakeTimers();
    const server = createScriptedServer({
      ...handshakeAnswers,
      "server/discover": "silence",
      initialize: (_, run) => {
        run.send({ id: run.received[0]?.id, result: discovered });
        return ok(initialized);
      },
    });
    const connecting = connectTo(server);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(server.methods).toEqual(["server/discover"]);
    await vi.advanceTimersByTimeAsync(1);
    const client = await connecting;
    expect(client.server.era).toBe("handshake");
    expect(server.methods).toEqual(["server/discover", "initialize", "notifications/initialized"]);
    expect(server.reports).toMatchObject([{ kind: "stray_response" }]);
    expect(server.runs).toHaveLength(1);
  });

  test("VER-C-14: how long the probe waits is the caller's to set", async () => {
    vi.useFakeTimers();
    const server = createScriptedServer({ ...handshakeAnswers, "server/discover": "silence" });
    const connecting = connectTo(server, { probeTimeoutMs: 100 });
    await vi.advanceTimersByTimeAsync(100);
    expect((await connecting).server.era).toBe("handshake");
  });

  test("a server that is slow to start and speaks only the stateless era is asked again when it turns the handshake down", async () => {
    vi.useFakeTimers();
    let awake = false;
    const server = createScriptedServer({
      "server/discover": () => (awake ? ok(discovered) : "silence"),
      initialize: () => {
        awake = true;
        return unsupported(["2026-07-28"], "2025-11-25");
      },
    });
    const connecting = connectTo(server);
    await vi.advanceTimersByTimeAsync(5_000);
    expect((await connecting).server.era).toBe("stateless");
    expect(server.methods).toEqual(["server/discover", "initialize", "server/discover"]);
  });

  test("LC-16, BUG-160: a server that is silent altogether ends in a bounded time; nothing is cancelled on the wire", async () => {
    vi.useFakeTimers();
    const server = createScriptedServer({ "*": "silence" });
    const connecting = failure(connectTo(server, { timeoutMs: 30_000 }));
    await vi.advanceTimersByTimeAsync(35_000);
    expect((await connecting).code).toBe("TIMEOUT");
    expect(server.methods).toEqual(["server/discover", "initialize"]);
    expect(server.last.closed).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("BUG-160: it ends in 30 s by default, and the error says what the transport knows of the server", async () => {
    vi.useFakeTimers();
    const server = createScriptedServer({ "*": "silence" });
    const describe = (what: string): LocalError =>
      new LocalError("CLOSED", `the server "node s.js" ${what}; its last line on stderr: no port`, {
        details: { command: "node", stderr: "no port" },
      });
    const dial: ClientOptions["dial"] = async (handler) => ({ ...(await server.dial(handler)), describe });
    const connecting = failure(connectTo(server, { dial }));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await connecting).toMatchObject({
      code: "TIMEOUT",
      message:
        'the server "node s.js" gave no answer to the opening question within 30000 ms; its last line on stderr: no port',
      details: { command: "node", stderr: "no port", timeoutMs: 30_000 },
    });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("BUG-160: a dial that never settles ends in a bounded time", async () => {
    vi.useFakeTimers();
    const dial = (): Promise<never> => new Promise(() => {});
    const connecting = failure(connectClient({ dial, info, connectTimeoutMs: 10 }));
    await vi.advanceTimersByTimeAsync(10);
    expect(await connecting).toMatchObject({
      code: "TIMEOUT",
      message: "the server gave no answer to the opening question within 10 ms",
    });
  });

  test("BUG-160: a pipe that nobody reads ends in a bounded time, also after the answer", async () => {
    vi.useFakeTimers();
    const server = createScriptedServer(handshakeAnswers);
    const dial: ClientOptions["dial"] = async (handler) => ({
      ...(await server.dial(handler)),
      notify: () => new Promise(() => {}),
    });
    const connecting = failure(connectTo(server, { dial, timeoutMs: 30_000 }));
    await vi.advanceTimersByTimeAsync(30_000);
    expect((await connecting).code).toBe("TIMEOUT");
    expect(server.last.closed).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("on HTTP silence is an error, not a verdict", async () => {
    vi.useFakeTimers();
    const server = createScriptedServer({ ...handshakeAnswers, "server/discover": "silence" });
    const connecting = failure(
      connectTo(server, { dial: async (handler) => ({ ...(await server.dial(handler)), carrier: "http" }) }),
    );
    await vi.advanceTimersByTimeAsync(5_000);
    expect((await connecting).code).toBe("TIMEOUT");
    expect(server.methods).toEqual(["server/discover"]);
  });
});

describe("a server that ends", () => {
  test("VER-C-15: because of the probe is started once more, with the handshake first", async () => {
    const server = createScriptedServer({ ...handshakeAnswers, "server/discover": "exit" });
    const client = await connectTo(server);
    expect(client.server.era).toBe("handshake");
    expect(server.runs).toHaveLength(2);
    expect(server.methods).toEqual(["initialize", "notifications/initialized"]);
  });

  test("each time is an error that says why it ended", async () => {
    const server = createScriptedServer({ "*": "exit" });
    const error = await failure(connectTo(server));
    expect(error.code).toBe("CLOSED");
    expect(error.message).toBe(
      "the connection was lost: the server exited with code 3; its last line on stderr: out of luck",
    );
    expect(error.details).toMatchObject({ exitCode: 3 });
    expect(server.runs).toHaveLength(2);
  });

  test("is not started again when its era is pinned", async () => {
    const server = createScriptedServer({ "*": "exit" });
    const error = await failure(connectTo(server, { eras: [statelessClient()] }));
    expect(error.code).toBe("CLOSED");
    expect(server.runs).toHaveLength(1);
  });
});

describe("an abort while connecting", () => {
  test("LC-16, CAN-03: closes the transport and cancels nothing on the wire", async () => {
    const server = createScriptedServer({ "server/discover": fail(-32601), initialize: "silence" });
    const controller = new AbortController();
    const connecting = connectTo(server, { signal: controller.signal });
    await vi.waitUntil(() => server.runs.length > 0 && server.methods.includes("initialize"));
    controller.abort(new Error("enough"));
    await expect(connecting).rejects.toThrow("enough");
    expect(server.methods).toEqual(["server/discover", "initialize"]);
    expect(server.last.closed).toBe(true);
  });

  test("does not wait for a store that does not answer", async () => {
    const server = createScriptedServer(statelessAnswers, "server");
    const get = vi.fn(() => new Promise<undefined>(() => {}));
    const controller = new AbortController();
    const connecting = connectTo(server, {
      signal: controller.signal,
      verdicts: remembering({ get, set: () => {}, delete: () => {} }),
    });
    await vi.waitUntil(() => get.mock.calls.length > 0);
    controller.abort(new Error("enough"));
    await expect(connecting).rejects.toThrow("enough");
    expect(server.last.closed).toBe(true);
  });

  test("closes a connection that is opened too late", async () => {
    const server = createScriptedServer(statelessAnswers);
    const controller = new AbortController();
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const connecting = connectTo(server, {
      signal: controller.signal,
      dial: async (handler) => {
        await opened;
        return server.dial(handler);
      },
    });
    controller.abort(new Error("enough"));
    await expect(connecting).rejects.toThrow("enough");
    open();
    await vi.waitUntil(() => server.runs.length === 1 && server.last.closed);
  });

  test("before it began dials nothing", async () => {
    const server = createScriptedServer(statelessAnswers);
    await expect(connectTo(server, { signal: AbortSignal.abort(new Error("no")) })).rejects.toThrow("no");
    expect(server.runs).toHaveLength(0);
  });
});

test("an error of dialing is handed on unchanged", async () => {
  const spawnFailed = new LocalError("SPAWN_FAILED" satisfies LocalErrorCode, "no such program");
  const dial: ClientOptions["dial"] = () => Promise.reject(spawnFailed);
  await expect(connectClient({ dial, info })).rejects.toBe(spawnFailed);
});
