import { answers, oneRound } from "@parlance/client";
import { derive, type Handler, type Principal, RpcError } from "@parlance/jsonrpc";
import { createServer } from "@parlance/server";
import { connectInMemory } from "@parlance/testing";
import { tool, tools } from "@parlance/tool-registry";
import { afterEach, describe, expect, test, vi } from "vitest";
import { accepting, eras, type Gateway, type GatewayOptions, open, ways } from "./gateway.js";
import { createOrigin } from "./origin.js";

const opened: Gateway[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((gateway) => gateway.close()));
});

async function through(options: GatewayOptions, origin = createOrigin()): Promise<Gateway> {
  const gateway = await open(origin.server, options);
  opened.push(gateway);
  return gateway;
}

const form = { elicitation: { form: {} } };
const ada = { action: "accept", content: { name: "Ada" } };
const ask = { name: "ask", arguments: {} };

describe.each(ways)("a %s server that asks a %s caller", (far, near) => {
  test("MRTR: gets its answers, one after another", async () => {
    const asked: unknown[] = [];
    const { client } = await through({ far, near, answers: accepting(asked) });
    expect((await client.callTool("ask")).content).toMatchObject([{ text: "Ada m file:///a" }]);
    expect(asked).toEqual(["Who are you?"]);
  });

  test("hears that the user declines", async () => {
    const { client } = await through({ far, near, answers: answers({ form: () => ({ action: "decline" }) }) });
    expect((await client.callTool("ask")).content).toMatchObject([{ text: "decline" }]);
  });

  test("MRTR-09: does not ask what the caller did not declare", async () => {
    const { client } = await through({ far, near });
    await expect(client.callTool("ask")).rejects.toMatchObject({
      code: far === "handshake" ? -32603 : near === "stateless" ? -32021 : -32600,
    });
  });

  test("asks many calls of one owner at once", async () => {
    const { client } = await through({ far, near, answers: accepting(), proxy: { owner: () => "me" } });
    const calls = await Promise.all(Array.from({ length: 5 }, () => client.callTool("ask")));
    for (const { content } of calls) expect(content).toMatchObject([{ text: "Ada m file:///a" }]);
  });
});

describe.each(eras)("a page that a session wants visited first, for a %s caller", (near) => {
  const page = { mode: "url", elicitationId: "secret-id", message: "Sign in", url: "https://x.example/in" };
  /** A server that is content after a number of calls. */
  const wanting = (times: number) => {
    let calls = 0;
    const run = () => {
      if (calls++ < times) throw new RpcError(-32042, "Sign in first", { data: { elicitations: [page] } });
      return `after ${calls} calls`;
    };
    const features = [tools([tool({ name: "ask", description: "Asks by an error", run })])];
    return { server: createServer({ info: { name: "origin", version: "1.0.0" }, features }) };
  };

  test("ELI-21: is opened once, under no id of another revision, and the call goes on when the server is content", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const url = vi.fn((_page: object) => "accept" as const);
      // the time of a timer passes faster than that of the ciphers that seal the state
      const timeoutMs = Number.POSITIVE_INFINITY;
      const options = { far: "handshake", near, answers: answers({ url }), timeoutMs } as const;
      const { client } = await through(options, wanting(3) as never);
      let pending = true;
      const result = client.callTool("ask").finally(() => {
        pending = false;
      });
      while (pending) await vi.advanceTimersByTimeAsync(1_000);
      expect((await result).content).toMatchObject([{ text: "after 4 calls" }]);
      expect(url).toHaveBeenCalledTimes(1);
      expect(url.mock.calls[0]?.[0]).toMatchObject({ url: page.url });
      expect(JSON.stringify(url.mock.calls[0])).not.toContain("secret-id");
    } finally {
      vi.useRealTimers();
    }
  });

  test("leaves a caller who does not visit it with what the server refused with", async () => {
    const url = vi.fn(() => "decline" as const);
    const { client } = await through({ far: "handshake", near, answers: answers({ url }) }, wanting(3) as never);
    await expect(client.callTool("ask")).rejects.toMatchObject({ message: "Sign in first" });
    expect(url).toHaveBeenCalledTimes(1);
  });
});

describe("a call that is kept for its caller", () => {
  const kept = async (pass: GatewayOptions["pass"] = {}, proxy: GatewayOptions["proxy"] = {}) => {
    const onError = vi.fn();
    const origin = createOrigin();
    const gateway = await through({ far: "handshake", near: "stateless", pass, proxy, onError }, origin);
    const client = await connectInMemory(gateway.server, { era: "stateless", capabilities: form });
    const first = await oneRound(client, "tools/call", ask);
    if (first.type !== "input_required") throw new Error("it did not ask");
    const { requestState, inputRequests = {} } = first;
    const [key = ""] = Object.keys(inputRequests);
    const again = (answer: object, state = requestState) =>
      oneRound(client, "tools/call", ask, { requestState: state, inputResponses: { [key]: { ...answer } } });
    return { ...gateway, client, onError, requestState, inputRequests, again };
  };

  test("is asked as the server asks, but for what is of its own revision", async () => {
    const { inputRequests, requestState } = await kept();
    expect(Object.values(inputRequests)).toEqual([
      {
        method: "elicitation/create",
        params: {
          mode: "form",
          message: "Who are you?",
          requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
        },
      },
    ]);
    expect(requestState).toBeTypeOf("string");
  });

  test("MRTR-19: is not answered with what does not fit, and may be answered again", async () => {
    const { again } = await kept();
    await expect(again({ action: "accept", content: { name: 5 } })).rejects.toMatchObject({ code: -32602 });
    expect(await again({ action: "cancel" })).toMatchObject({ result: { content: [{ text: "cancel" }] } });
  });

  test("MRTR-17: is asked again when an answer is missing", async () => {
    const { client, requestState, inputRequests, again } = await kept();
    expect(await oneRound(client, "tools/call", ask, { requestState })).toMatchObject({
      type: "input_required",
      inputRequests,
    });
    expect(await again({ action: "decline" })).toMatchObject({ result: { content: [{ text: "decline" }] } });
  });

  test("MRTR-15: is answered once", async () => {
    const { again } = await kept();
    await again({ action: "decline" });
    await expect(again({ action: "decline" })).rejects.toMatchObject({ code: -32602 });
  });

  test("is given up after a while, and its server told", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
    try {
      const { again, onError } = await kept({ pendingMs: 1_000 });
      await vi.advanceTimersByTimeAsync(1_001);
      await expect(again(ada)).rejects.toMatchObject({ code: -32602 });
      expect(onError).not.toHaveBeenCalled();
    } finally {
      vi.useRealTimers();
    }
  });

  test("is one of a limited number: a server that asks for more is told", async () => {
    const { client, again } = await kept({ maxPending: 1 }, { owner: () => "me" });
    await expect(oneRound(client, "tools/call", ask)).rejects.toMatchObject({ code: -32603 });
    expect(await again({ action: "decline" })).toMatchObject({ type: "complete" });
    expect(await oneRound(client, "tools/call", ask)).toMatchObject({ type: "input_required" });
  });

  test("lets the question of another's call wait until it is certain whose it is", async () => {
    const { client, again } = await kept();
    const other = oneRound(client, "tools/call", ask);
    expect(await again({ action: "decline" })).toMatchObject({ type: "complete" });
    expect(await other).toMatchObject({ type: "input_required" });
  });
});

describe("callers who share a server", () => {
  const as = (server: Handler, id: string): Handler => {
    const principal: Principal = { id, scopes: [] };
    return { ...server, request: (message, exchange) => server.request(message, derive(exchange, { principal })) };
  };

  test("are never asked each other's questions, and cannot answer them", async () => {
    const origin = createOrigin();
    const { server } = await through({ far: "handshake", near: "stateless" }, origin);
    const [one, two] = await Promise.all(
      ["one", "two"].map((id) => connectInMemory(as(server, id), { era: "stateless", capabilities: form })),
    );
    if (one === undefined || two === undefined) throw new Error("unreachable");
    const stop = new AbortController();
    const waits = two.callTool("wait", {}, { signal: stop.signal });
    waits.catch(() => {});
    await origin.waits;
    const asks = oneRound(one, "tools/call", ask);
    const other = await two.callTool("rich", { text: "still served" });
    expect(other.content[0]).toMatchObject({ text: "still served" });
    stop.abort();
    // a call that was given up may have been the one that asks
    await expect(asks).rejects.toMatchObject({ code: -32603 });
    const first = await oneRound(one, "tools/call", ask);
    if (first.type !== "input_required") throw new Error("it did not ask");
    const answer = { requestState: first.requestState, inputResponses: { q1: ada } };
    await expect(oneRound(two, "tools/call", ask, answer)).rejects.toMatchObject({ code: -32602 });
    await Promise.all([one.close(), two.close()]);
  });
});
