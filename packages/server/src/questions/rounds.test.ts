import { answer, type JsonObject } from "@parlance/jsonrpc";
import { describe, expect, test, vi } from "vitest";
import { createServer, questions } from "../index.js";
import { askingServer, everything, round, session, type Tool, toolSet } from "./asking.fixture.js";

const accept = (content: JsonObject): JsonObject => ({ action: "accept", content });

const name: Tool = {
  name: "name",
  run: async (call) => {
    const answer = await call.elicit("name", "Who are you?", { name: { type: "string" } });
    return answer.action === "accept" ? `Hello ${answer.content.name}` : `You ${answer.action}`;
  },
};

const question = {
  method: "elicitation/create",
  params: {
    mode: "form",
    message: "Who are you?",
    requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  },
};

/** A tool with a question, work that is done once, and a question about what it gave. */
function order(work: () => number): Tool {
  return {
    name: "order",
    run: async (call) => {
      const what = await call.elicit("what", "What?", { what: { type: "string", enum: ["tea", "coffee"] } });
      if (what.action !== "accept") return "nothing";
      const price = await call.once("price", work);
      const sure = await call.elicit("sure", `${price} for ${what.content.what}?`, { sure: { type: "boolean" } });
      return sure.content?.sure === true ? `${what.content.what} for ${price}` : "nothing";
    },
  };
}

describe("a question in a tool", () => {
  test("MRTR-01 MRTR-04 MRTR-07 TOOL-38: asks by input_required, with a bare method and params", async () => {
    const server = askingServer([name]);
    const { result } = await round(server, { name: "name" });
    expect(result).toMatchObject({ resultType: "input_required", inputRequests: { name: question } });
    expect(Object.keys(result.inputRequests.name)).toEqual(["method", "params"]);
    expect(result).not.toHaveProperty("requestState");
    const retried = await round(server, { name: "name", inputResponses: { name: accept({ name: "Ada" }) } });
    expect(retried.result).toMatchObject({ resultType: "complete", content: [{ text: "Hello Ada" }] });
  });

  test("MRTR-31: one handler serves both eras", async () => {
    const server = askingServer([name]);
    const asked: unknown[] = [];
    const { result } = await session(server, { name: "name" }, (method, params) => {
      asked.push({ method, params });
      return accept({ name: "Ada" });
    });
    expect(asked).toEqual([question]);
    expect(result.content).toEqual([{ type: "text", text: "Hello Ada" }]);
  });

  test("ELI-17: handles decline, cancel and failure, each told apart", async () => {
    const server = askingServer([name]);
    const answered = (answer: JsonObject) => round(server, { name: "name", inputResponses: { name: answer } });
    expect((await answered({ action: "decline" })).result.content[0].text).toBe("You decline");
    expect((await answered({ action: "cancel" })).result.content[0].text).toBe("You cancel");
    expect((await answered({ action: "accept", content: { name: 5 } })).error).toEqual({
      code: -32602,
      message: 'the answer to "name" does not fit the form: "name" should be a text',
    });
  });

  test("MRTR-19 ELI-16: inputResponses are validated, form content against the requested schema", async () => {
    const server = askingServer([name]);
    const wrong = [{ action: "accept" }, accept({}), accept({ name: "Ada", age: 5 }), { action: "maybe" }, {}];
    for (const answer of wrong) {
      const { error } = await round(server, { name: "name", inputResponses: { name: answer } });
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('"name"') });
      const inSession = await session(server, { name: "name" }, () => answer);
      expect(inSession.error).toMatchObject({ code: -32602 });
    }
    for (const inputResponses of [null, { name: 5 }, []]) {
      expect((await round(server, { name: "name", inputResponses })).error).toMatchObject({ code: -32602 });
    }
  });

  test("MRTR-17 MRTR-18: what is missing is asked again without error, what is unexpected ignored", async () => {
    const { result } = await round(askingServer([name]), { name: "name", inputResponses: { other: { x: 1 } } });
    expect(result).toMatchObject({ resultType: "input_required", inputRequests: { name: question } });
  });

  test("MRTR-09 MRTR-10 ELI-04: what this request did not declare is not asked: −32021", async () => {
    const server = askingServer([name]);
    for (const capabilities of [{}, { elicitation: { url: {} } }, { sampling: {} }]) {
      const { error } = await round(server, { name: "name" }, { capabilities });
      expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: { elicitation: expect.anything() } } });
    }
    expect((await round(server, { name: "name" }, { capabilities: { elicitation: {} } })).result.resultType).toBe(
      "input_required",
    );
  });

  test("without questions() it fails, and says what is missing to the server alone", async () => {
    const onError = vi.fn();
    const info = { name: "mute", version: "1.0.0" };
    const { error } = await round(createServer({ info, features: [toolSet([name])], onError }), { name: "name" });
    expect(error).toMatchObject({ code: -32603, message: "Internal error" });
    expect(String(onError.mock.calls[0]?.[0])).toContain("put questions() among the features");
  });
});

describe("several questions", () => {
  test("MRTR-16 MRTR-20: each round is processed from its own content, on any instance", async () => {
    const work = vi.fn(() => 3);
    const stateKeys = ["a key that two instances have in common"];
    const [one, two] = [askingServer([order(work)], { stateKeys }), askingServer([order(work)], { stateKeys })];
    const first = await round(one, { name: "order" });
    expect(first.result.inputRequests).toHaveProperty("what");
    const second = await round(two, { name: "order", inputResponses: { what: accept({ what: "tea" }) } });
    expect(second.result.inputRequests).toMatchObject({ sure: { params: { message: "3 for tea?" } } });
    const { requestState } = second.result;
    const third = await round(one, { name: "order", requestState, inputResponses: { sure: accept({ sure: true }) } });
    expect(third.result.content).toEqual([{ type: "text", text: "tea for 3" }]);
    expect(work).toHaveBeenCalledTimes(1);
  });

  test("work that is done once is done once in a session too", async () => {
    const work = vi.fn(() => 3);
    const { result } = await session(askingServer([order(work)]), { name: "order" }, (_, { requestedSchema }) =>
      accept("what" in (requestedSchema as { properties: object }).properties ? { what: "tea" } : { sure: true }),
    );
    expect(result.content).toEqual([{ type: "text", text: "tea for 3" }]);
    expect(work).toHaveBeenCalledTimes(1);
  });

  test("MRTR-06: those asked together go out together, under their own keys", async () => {
    const three: Tool = {
      name: "three",
      run: async (call) => {
        const [who, said, roots] = await Promise.all([
          call.elicit("who", "Who?", { name: { type: "string" } }),
          call.sample("said", {
            messages: [{ role: "user", content: { type: "text", text: "Hi" } }],
            maxTokens: 5,
            temperature: undefined,
          }),
          call.roots("roots"),
        ]);
        return `${who.content?.name} ${said.model} ${roots.map(({ uri }) => uri)}`;
      },
    };
    const answers = {
      who: accept({ name: "Ada" }),
      said: { role: "assistant", content: { type: "text", text: "Ho" }, model: "m" },
      roots: { roots: [{ uri: "file:///a" }] },
    };
    const server = askingServer([three]);
    const { result } = await round(server, { name: "three" });
    expect(Object.values(result.inputRequests).map((one) => (one as { method: string }).method)).toEqual([
      "elicitation/create",
      "sampling/createMessage",
      "roots/list",
    ]);
    const done = await round(server, { name: "three", inputResponses: answers });
    expect(done.result.content).toEqual([{ type: "text", text: "Ada m file:///a" }]);
    const { who, ...some } = answers;
    const again = await round(server, { name: "three", inputResponses: some });
    expect(Object.keys(again.result.inputRequests)).toEqual(["who"]);
    const { requestState } = again.result;
    const rest = await round(server, { name: "three", inputResponses: { who }, requestState });
    expect(rest.result.content).toEqual([{ type: "text", text: "Ada m file:///a" }]);
  });

  test("a key that names two questions is the tool's mistake", async () => {
    const onError = vi.fn();
    const twice: Tool = {
      name: "twice",
      run: (call) => Promise.all([call.elicit("k", "One?", {}), call.elicit("k", "Two?", {})]).then(String),
    };
    await round(askingServer([twice], {}, onError), { name: "twice", inputResponses: { k: accept({}) } });
    expect(String(onError.mock.calls[0]?.[0])).toContain('"k" names two questions');
  });
});

describe("a run that ends at a question", () => {
  test("is answered so even when the tool swallows the error", async () => {
    const swallowing: Tool = {
      name: "x",
      run: async (call) => {
        try {
          await call.roots("r");
        } catch {
          return "done anyway";
        }
        return "done";
      },
    };
    const { result } = await round(askingServer([swallowing]), { name: "x" });
    expect(result.resultType).toBe("input_required");
  });

  test("waits for work in flight, and does not do it again", async () => {
    let runs = 0;
    const busy: Tool = {
      name: "x",
      run: async (call) => {
        const work = call.once("work", async () => {
          for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
          return ++runs;
        });
        await call.roots("r");
        return String(await work);
      },
    };
    const server = askingServer([busy]);
    const { result } = await round(server, { name: "x" });
    const answered = { inputResponses: { r: { roots: [] } }, requestState: result.requestState };
    expect((await round(server, { name: "x", ...answered })).result.content).toEqual([{ type: "text", text: "1" }]);
    expect(runs).toBe(1);
  });

  test("does not wait for work that never ends once the call is given up", async () => {
    const stuck: Tool = {
      name: "x",
      run: async (call) => {
        void call.once("work", () => new Promise(() => {}));
        return (await call.roots("r")).join();
      },
    };
    const giving = new AbortController();
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": everything,
    };
    const params = { name: "x", _meta };
    const asking = answer(
      askingServer([stuck]),
      JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
      {
        signal: giving.signal,
      },
    );
    await new Promise((resolve) => setImmediate(resolve));
    giving.abort(new Error("enough"));
    expect(JSON.parse((await asking) ?? "null")).toMatchObject({ error: {} });
  });

  test("takes any text as a key", async () => {
    const odd: Tool = {
      name: "x",
      run: async (call) =>
        `${await call.once("__proto__", () => 1)} ${await call.roots("__proto__")} ${await call.roots("b")}`,
    };
    const server = askingServer([odd]);
    const first = (await round(server, { name: "x" })).result;
    expect(Object.keys(first.inputRequests)).toEqual(["__proto__"]);
    const inputResponses = JSON.parse('{"__proto__":{"roots":[]}}');
    const second = (await round(server, { name: "x", inputResponses, requestState: first.requestState })).result;
    expect(Object.keys(second.inputRequests)).toEqual(["b"]);
    const last = { inputResponses: { b: { roots: [] } }, requestState: second.requestState };
    expect((await round(server, { name: "x", ...last })).result.content).toEqual([{ type: "text", text: "1  " }]);
  });

  test("leaves questions that nobody waited for yet without an unhandled rejection", async () => {
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    const eager: Tool = {
      name: "x",
      run: async (call) => {
        const [first, second] = [call.roots("a"), call.elicit("b", "B?", {})];
        return `${await first} ${await second}`;
      },
    };
    const { result } = await round(askingServer([eager]), { name: "x" });
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", unhandled);
    expect(Object.keys(result.inputRequests)).toEqual(["a", "b"]);
    expect(unhandled).not.toHaveBeenCalled();
  });

  test("an error of the tool's own is one, though it has asked", async () => {
    const failing: Tool = {
      name: "x",
      run: async (call) => {
        void call.roots("r");
        throw new Error("broken");
      },
    };
    const onError = vi.fn();
    const { error } = await round(askingServer([failing], {}, onError), { name: "x" });
    expect(error).toMatchObject({ code: -32603 });
    expect(onError.mock.calls[0]?.[0]).toEqual(new Error("broken"));
  });
});

test("MRTR-02: only tools/call, prompts/get and resources/read may answer input_required", async () => {
  const server = createServer({
    info: { name: "x", version: "1.0.0" },
    features: [
      questions(),
      { capabilities: {}, methods: { "x/ask": () => ({ type: "input_required", requestState: "s" }) } },
    ],
  });
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": everything,
  };
  const text = await answer(server, JSON.stringify({ jsonrpc: "2.0", id: 1, method: "x/ask", params: { _meta } }));
  expect(JSON.parse(text ?? "")).toMatchObject({ error: { code: -32603 } });
});
