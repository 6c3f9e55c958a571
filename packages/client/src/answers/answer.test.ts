import { batches, type JsonObject } from "@parlance/jsonrpc";
import type { ProtocolVersion } from "@parlance/protocol-versions";
import { describe, expect, test, vi } from "vitest";
import { connectClient } from "../connect.js";
import { type AnswerHandlers, answers, handshake, inspectUrl, pickModel, rootsChanged } from "../index.js";
import {
  type Answers,
  createScriptedServer,
  fail,
  handshakeAnswers,
  initialized,
  ok,
  type ScriptedServer,
  type Wire,
} from "../scripted-server.fixture.js";

const everyForm: JsonObject = {
  plain: { type: "string", enum: ["a", "b"], default: "a" },
  titled: { type: "string", oneOf: [{ const: "a", title: "A" }], default: "a" },
  legacy: { type: "string", enum: ["a", "b"], enumNames: ["A", "B"], default: "b" },
  some: { type: "array", items: { type: "string", enum: ["a", "b"] }, default: ["a"] },
  someTitled: { type: "array", items: { anyOf: [{ const: "a", title: "A" }] }, default: ["a"] },
  text: { type: "string", default: "t" },
  score: { type: "number", default: 9.5 },
  age: { type: "integer", default: 3 },
  sure: { type: "boolean", default: false },
};
const asForm = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  message: "Well?",
  requestedSchema: { type: "object", properties, required },
});

/** A client in a session that the server asks something, and what it answered. */
async function asked(
  handlers: AnswerHandlers,
  method: string,
  params: JsonObject,
  version: ProtocolVersion = "2025-11-25",
): Promise<Wire> {
  const script: Answers = { ...handshakeAnswers, initialize: ok({ ...initialized, protocolVersion: version }) };
  const server = createScriptedServer(script);
  const client = await connectClient({
    dial: server.dial,
    info: { name: "c", version: "1" },
    eras: [handshake({ versions: [version], batches })],
    answers: answers(handlers, { name: "the server" }),
  });
  server.last.send({ id: "q", method, params });
  for (let turns = 0; reply(server) === undefined && turns < 1_000; turns += 1) await Promise.resolve();
  await client.close();
  return reply(server) ?? {};
}

const reply = (server: ScriptedServer): Wire | undefined => server.received.find(({ id }) => id === "q");
const accept = () => ({ action: "accept" }) as const;

describe("a form in a session", () => {
  test("ELI-07 ELI-10 ELI-13: no mode means form; all enum forms are understood; defaults fill it in", async () => {
    const form = vi.fn(accept);
    const { result } = await asked({ form }, "elicitation/create", asForm(everyForm, Object.keys(everyForm)));
    const content = Object.fromEntries(
      Object.entries(everyForm).map(([name, field]) => [name, (field as JsonObject)["default"]]),
    );
    expect(result).toEqual({ action: "accept", content });
    expect(form).toHaveBeenCalledWith(
      { message: "Well?", schema: expect.anything(), defaults: content },
      { name: "the server", server: initialized["serverInfo"], signal: expect.any(AbortSignal) },
    );
  });

  test.each([{ properties: { a: null } }, { properties: { a: {} }, required: "a" }, { properties: [] }, {}])(
    "the form %j is none: −32602, and nobody sees it",
    async (schema) => {
      const form = vi.fn(accept);
      const params = { mode: "form", message: "Well?", requestedSchema: { type: "object", ...schema } };
      expect((await asked({ form }, "elicitation/create", params)).error).toMatchObject({ code: -32602 });
      expect(form).not.toHaveBeenCalled();
    },
  );

  test("ELI-14: content only with accept", async () => {
    for (const action of ["decline", "cancel"] as const) {
      const { result } = await asked({ form: () => ({ action }) }, "elicitation/create", asForm(everyForm));
      expect(result).toEqual({ action });
    }
    const page = { mode: "url", message: "Go", url: "https://x.example/" };
    expect((await asked({ url: () => "accept" }, "elicitation/create", page)).result).toEqual({ action: "accept" });
  });

  test("ELI-15 ELI-12: an answer that does not fit the schema is an error, and not sent", async () => {
    const wrong: readonly (readonly [JsonObject, string | number | boolean | readonly string[]])[] = [
      [{ type: "string", format: "email" }, "no address"],
      [{ type: "string", format: "uri" }, "no uri"],
      [{ type: "string", format: "date" }, "2026-02-30"],
      [{ type: "string", format: "date-time" }, "2026-02-03"],
      [{ type: "string", minLength: 2 }, "é"],
      [{ type: "string", maxLength: 1 }, "ab"],
      [{ type: "number", minimum: 2 }, 1],
      [{ type: "integer" }, 1.5],
      [{ type: "boolean" }, "yes"],
      [{ type: "string", enum: ["a"] }, "b"],
      [{ type: "string", oneOf: [{ const: "a", title: "A" }] }, "A"],
      [{ type: "array", items: { enum: ["a", "b"] }, maxItems: 1 }, ["a", "b"]],
      [{ type: "array", items: { anyOf: [{ const: "a", title: "A" }] } }, ["b"]],
    ];
    for (const [field, value] of wrong) {
      const form = () => ({ action: "accept", content: { field: value } }) as const;
      const { error } = await asked({ form }, "elicitation/create", asForm({ field }));
      expect([field, error]).toMatchObject([
        field,
        { code: -32603, message: expect.stringContaining('"field" should be') },
      ]);
    }
    const right: readonly (readonly [JsonObject, string])[] = [
      [{ type: "string", format: "email" }, "ada@example.com"],
      [{ type: "string", format: "uri" }, "urn:x:y"],
      [{ type: "string", format: "date" }, "2024-02-29"],
      [{ type: "string", format: "date-time" }, "2026-02-03T04:05:06.7+01:00"],
      [{ type: "string", maxLength: 1 }, "👩"],
    ];
    for (const [field, value] of right) {
      const form = () => ({ action: "accept", content: { field: value } }) as const;
      expect((await asked({ form }, "elicitation/create", asForm({ field }))).result).toMatchObject({
        action: "accept",
      });
    }
  });

  test("ELI-03 ELI-05: a mode that was not declared is answered −32602", async () => {
    const page = { mode: "url", message: "Go", url: "https://x.example/" };
    expect((await asked({ form: accept }, "elicitation/create", page)).error).toMatchObject({ code: -32602 });
    const form = asForm({});
    expect((await asked({ url: () => "accept" }, "elicitation/create", form)).error).toMatchObject({ code: -32602 });
    expect((await asked({ form: accept }, "elicitation/create", { ...form, mode: "video" })).error).toMatchObject({
      code: -32602,
    });
  });

  test("what a form has as undefined is left out, and filled in where it has a default", async () => {
    const form = () => ({ action: "accept", content: { sure: undefined, name: undefined, age: 3 } }) as const;
    const fields: JsonObject = {
      sure: { type: "boolean", default: true },
      name: { type: "string" },
      age: { type: "integer" },
    };
    const { result } = await asked({ form }, "elicitation/create", asForm(fields));
    expect(result).toEqual({ action: "accept", content: { sure: true, age: 3 } });
  });
});

describe("a page", () => {
  test("ELI-28 ELI-29 ELI-31: consent is given by a handler that sees the whole URL, its host and warnings; nothing is fetched", async () => {
    const fetched = vi.spyOn(globalThis, "fetch");
    const url = vi.fn(() => "decline" as const);
    const params = { mode: "url", message: "Go", url: "https://a@xn--pple-43d.example:444/p?q=1", elicitationId: "e1" };
    expect((await asked({ url }, "elicitation/create", params)).result).toEqual({ action: "decline" });
    expect(url.mock.calls[0]).toMatchObject([
      {
        message: "Go",
        url: "https://a@xn--pple-43d.example:444/p?q=1",
        host: "xn--pple-43d.example:444",
        warnings: ["punycode", "credentials", "port"],
        elicitationId: "e1",
      },
      { name: "the server" },
    ]);
    expect(fetched).not.toHaveBeenCalled();
    fetched.mockRestore();
  });

  test("ELI-32: only https: URLs, and http: ones on this machine, are offered", async () => {
    const url = vi.fn(() => "accept" as const);
    for (const page of [
      "javascript:alert(1)",
      "file:///etc/passwd",
      "http://x.example/",
      "data:text/html,x",
      "x",
      "",
    ]) {
      const { error } = await asked({ url }, "elicitation/create", { mode: "url", message: "Go", url: page });
      expect([page, error]).toMatchObject([page, { code: -32602 }]);
      expect(inspectUrl(page)).toBeUndefined();
    }
    expect(url).not.toHaveBeenCalled();
    expect(inspectUrl("http://localhost:3000/a")).toEqual({
      url: "http://localhost:3000/a",
      host: "localhost:3000",
      warnings: ["insecure"],
    });
    expect(inspectUrl("https://аpple.example/")?.warnings).toEqual(["punycode"]);
    expect(inspectUrl("https://192.0.2.1/")?.warnings).toEqual(["ip_address"]);
    expect(inspectUrl("https://127.0.0.1.x.example/")?.warnings).toEqual([]);
  });

  test("ELI-26 ELI-27: the elicitations of −32042 are shown, and the call is made again after them", async () => {
    const page = { mode: "url", elicitationId: "e1", message: "Sign in first", url: "https://x.example/in" };
    let calls = 0;
    const script: Answers = {
      ...handshakeAnswers,
      "tools/call": () => (calls++ === 0 ? fail(-32042, "Sign in", { elicitations: [page] }) : ok({ content: [] })),
    };
    const connected = async (handlers: AnswerHandlers) =>
      connectClient({
        dial: createScriptedServer(script).dial,
        info: { name: "c", version: "1" },
        eras: [handshake()],
        answers: answers(handlers),
      });
    const url = vi.fn(() => "accept" as const);
    const client = await connected({ url });
    expect(await client.callTool("t")).toEqual({ content: [] });
    expect(url.mock.calls[0]).toMatchObject([{ url: page.url, elicitationId: "e1" }, {}]);
    expect(calls).toBe(2);
    await client.close();
    calls = 0;
    const other = await connected({ form: accept });
    await expect(other.callTool("t")).rejects.toMatchObject({ code: -32042, data: { elicitations: [page] } });
    await other.close();
  });

  test("ELI-27: a page is opened once, however often the server says that the user is not done there", async () => {
    const page = { mode: "url", elicitationId: "e1", message: "Sign in first", url: "https://x.example/in" };
    let calls = 0;
    const script: Answers = {
      ...handshakeAnswers,
      "tools/call": () => (calls++ < 4 ? fail(-32042, "Sign in", { elicitations: [page] }) : ok({ content: [] })),
    };
    const url = vi.fn(() => "accept" as const);
    const client = await connectClient({
      dial: createScriptedServer(script).dial,
      info: { name: "c", version: "1" },
      eras: [handshake()],
      answers: answers({ url }, { delayMs: 1 }),
    });
    expect(await client.callTool("t")).toEqual({ content: [] });
    expect([url.mock.calls.length, calls]).toEqual([1, 5]);
    await client.close();
  });

  test("ELI-27: a page that the user does not visit leaves the call with the server's refusal", async () => {
    const page = { mode: "url", elicitationId: "e1", message: "Sign in first", url: "https://x.example/in" };
    const script: Answers = {
      ...handshakeAnswers,
      "tools/call": fail(-32042, "Sign in", { elicitations: [page] }),
    };
    const url = vi.fn(() => "decline" as const);
    const client = await connectClient({
      dial: createScriptedServer(script).dial,
      info: { name: "c", version: "1" },
      eras: [handshake()],
      answers: answers({ url }),
    });
    await expect(client.callTool("t")).rejects.toMatchObject({ code: -32042, data: { elicitations: [page] } });
    expect(url).toHaveBeenCalledTimes(1);
    await client.close();
  });

  test("an error of that code asks nothing in a revision that does not have it", async () => {
    const page = { mode: "url", elicitationId: "e1", message: "Sign in first", url: "https://x.example/in" };
    const script: Answers = {
      ...handshakeAnswers,
      initialize: ok({ ...initialized, protocolVersion: "2025-06-18" }),
      "tools/call": fail(-32042, "Sign in", { elicitations: [page] }),
    };
    const url = vi.fn(() => "accept" as const);
    const client = await connectClient({
      dial: createScriptedServer(script).dial,
      info: { name: "c", version: "1" },
      eras: [handshake()],
      answers: answers({ url }),
    });
    await expect(client.callTool("t")).rejects.toMatchObject({ code: -32042 });
    expect(url).not.toHaveBeenCalled();
    await client.close();
  });

  test("ELI-25: ids in elicitation/complete that nobody knows are ignored", async () => {
    const server = createScriptedServer({ ...handshakeAnswers, "tools/call": ok({ content: [] }) });
    const report = vi.fn();
    const client = await connectClient({
      dial: server.dial,
      info: { name: "c", version: "1" },
      eras: [handshake()],
      answers: answers({ url: () => "accept" }),
      report,
    });
    server.last.send({ method: "notifications/elicitation/complete", params: { elicitationId: "nobody" } });
    expect(await client.callTool("t")).toEqual({ content: [] });
    expect(report).not.toHaveBeenCalled();
    await client.close();
  });
});

describe("sampling", () => {
  const text = { type: "text", text: "Hi" } as const;
  const request = { messages: [{ role: "user", content: text }], maxTokens: 7, systemPrompt: "Be brief" };
  const said = { role: "assistant", content: text, model: "m", stopReason: "endTurn" } as const;

  test("SAM-07 SAM-08 SAM-13 SAM-16 SAM-17: the handler is given the request, and its answer is sent", async () => {
    const sample = vi.fn(() => said as never);
    const tools = [{ name: "t", inputSchema: { type: "object" } }];
    const _meta = { "example.com/kept": 1 };
    const turns = [
      { role: "assistant", content: [{ type: "tool_use", id: "1", name: "t", input: {}, _meta }] },
      { role: "user", content: [{ type: "tool_result", toolUseId: "1", content: [], _meta }] },
    ];
    const params = { ...request, messages: turns, tools, toolChoice: { mode: "required" } };
    const { result } = await asked({ sample, sampling: { tools: true } }, "sampling/createMessage", params);
    expect(sample.mock.calls[0]).toMatchObject([params, { name: "the server" }]);
    expect(result).toEqual(said);
    const broken = await asked({ sample: () => ({ role: "assistant" }) as never }, "sampling/createMessage", request);
    expect(broken.error).toMatchObject({ code: -32603, message: expect.stringContaining("name of the model") });
  });

  test("SAM-18 SAM-20 SAM-23: a user who refuses is error −1, no handler −32601", async () => {
    expect((await asked({ sample: () => undefined }, "sampling/createMessage", request)).error).toMatchObject({
      code: -1,
    });
    expect((await asked({ roots: [] }, "sampling/createMessage", request)).error).toMatchObject({ code: -32601 });
  });

  test("SAM-04: tools or toolChoice without declared support is −32602", async () => {
    for (const more of [{ tools: [] }, { toolChoice: {} }]) {
      const { error } = await asked({ sample: () => said }, "sampling/createMessage", { ...request, ...more });
      expect(error).toMatchObject({ code: -32602 });
    }
  });

  test("SAM-06 SAM-10 SAM-11 SAM-12: each use of a tool has one result, alone in the next message of the user's", async () => {
    const use = (id: string) => ({ type: "tool_use", id, name: "t", input: {} });
    const result = (toolUseId: string) => ({ type: "tool_result", toolUseId, content: [] });
    const assistant = (...content: JsonObject[]) => ({ role: "assistant", content });
    const user = (...content: JsonObject[]) => ({ role: "user", content });
    const sampled = (messages: unknown): Promise<Wire> =>
      asked({ sample: () => said, sampling: { tools: true } }, "sampling/createMessage", {
        messages,
        maxTokens: 1,
      } as never);
    for (const messages of [
      [assistant(use("1")), user(text)],
      [assistant(use("1"))],
      [assistant(use("1")), user(result("2"))],
      [assistant(use("1")), user(result("1"), result("2"))],
      [assistant(use("1"), use("2")), user(result("1"))],
      [assistant(use("1")), user(result("1"), text)],
      [user(result("1"))],
      [{ role: "system", content: text }],
      [{ role: "user" }],
      "none",
    ]) {
      expect((await sampled(messages)).error).toMatchObject({ code: -32602 });
    }
    expect((await sampled([assistant(use("1"), use("2")), user(result("2"), result("1"))])).result).toEqual(said);
    expect((await asked({ sample: () => said }, "sampling/createMessage", { messages: [] })).error).toMatchObject({
      code: -32602,
    });
  });

  test("SAM-09: several blocks are one in a session before 2025-11-25", async () => {
    const sample = () =>
      ({ ...said, content: [text, { type: "image", data: "AA==", mimeType: "image/png" }, text] }) as const;
    expect((await asked({ sample }, "sampling/createMessage", request)).result?.["content"]).toHaveLength(3);
    expect((await asked({ sample }, "sampling/createMessage", request, "2025-06-18")).result).toEqual({
      ...said,
      content: { type: "text", text: "Hi\nHi" },
    });
  });

  test("SAM-15: priorities are 0 to 1", async () => {
    for (const name of ["costPriority", "speedPriority", "intelligencePriority"]) {
      const asking = (value: unknown): Promise<Wire> =>
        asked({ sample: () => said }, "sampling/createMessage", { ...request, modelPreferences: { [name]: value } });
      for (const value of [-0.1, 1.1, "1"]) expect((await asking(value)).error).toMatchObject({ code: -32602 });
      expect((await asking(0.5)).result).toEqual(said);
    }
  });

  test("SAM-14: hints are evaluated in order, the first match wins, as part of a name", () => {
    const models = ["claude-opus-4", "claude-sonnet-4", "gpt-5"];
    expect(pickModel({ hints: [{ name: "gemini" }, { name: "SONNET" }, { name: "gpt" }] }, models)).toBe(
      "claude-sonnet-4",
    );
    expect(pickModel({ hints: [{ name: "claude" }] }, models)).toBe("claude-opus-4");
    expect(pickModel({ hints: [{}, { name: "" }], costPriority: 1 }, models)).toBeUndefined();
    expect(pickModel(undefined, models)).toBeUndefined();
  });
});

describe("roots", () => {
  test("ROOT-02: each root has a file: URI; others are not sent", async () => {
    const roots = vi.fn(async () => [{ uri: "file:///a", name: "A" }]);
    expect((await asked({ roots }, "roots/list", {})).result).toEqual({ roots: [{ uri: "file:///a", name: "A" }] });
    expect((await asked({ roots: [{ uri: "https://x.example" }] }, "roots/list", {})).error).toMatchObject({
      code: -32603,
    });
  });

  test("ROOT-05: not supported is −32601, internal −32603", async () => {
    expect((await asked({ form: accept }, "roots/list", {})).error).toMatchObject({ code: -32601 });
    const roots = () => {
      throw new Error("disk");
    };
    expect((await asked({ roots }, "roots/list", {})).error).toMatchObject({ code: -32603 });
  });

  test("ROOT-01 ROOT-03: a session is told of changes, as it was promised", async () => {
    const server = createScriptedServer(handshakeAnswers);
    const client = await connectClient({
      dial: server.dial,
      info: { name: "c", version: "1" },
      eras: [handshake()],
      answers: answers({ roots: [] }),
    });
    await rootsChanged(client);
    expect(server.received[0]?.params).toMatchObject({ capabilities: { roots: { listChanged: true } } });
    expect(server.methods).toEqual(["initialize", "notifications/initialized", "notifications/roots/list_changed"]);
    await client.close();
  });
});
