import { AccessError, type JsonObject, RpcError } from "@parlance/jsonrpc";
import type { Outcome } from "@parlance/protocol-versions";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { PublicError } from "./error.js";
import { callTool, createLocalCall, type LocalCall, listTools } from "./local.js";
import { clientWith } from "./needs.js";
import { createToolRegistry, type ToolRegistry } from "./registry.js";
import { tool } from "./tool.js";

const description = "";

function call(registry: ToolRegistry, params: JsonObject, given?: LocalCall): Outcome | Promise<Outcome> {
  const feature = registry.methods["tools/call"];
  if (feature === undefined) throw new Error("A registry answers tools/call");
  return feature(createLocalCall("tools/call", params, given));
}

function text(outcome: Outcome): string {
  if (outcome.type !== "complete") throw new Error(`${outcome.type} instead of complete`);
  const { content } = outcome.result as { content: readonly { text: string }[] };
  return content.map((block) => block.text).join("\n");
}

const add = tool({
  name: "add",
  description,
  input: z.object({ a: z.number(), b: z.int().default(2) }),
  run: ({ a, b }) => a + b,
});
const ping = tool({ name: "ping", description, run: () => "pong" });

test("a synchronous tool is answered synchronously", () => {
  const outcome = call(createToolRegistry([add]), { name: "add", arguments: { a: 1, b: 3 } });
  expect(outcome).toEqual({ type: "complete", result: { content: [{ type: "text", text: "4" }] } });
});

test("an asynchronous tool and an asynchronous schema are awaited", async () => {
  const input = z.object({ a: z.string().refine(async (value) => value !== "no", "must not be no") });
  const registry = createToolRegistry([tool({ name: "later", description, input, run: async ({ a }) => `${a}!` })]);
  expect(text(await call(registry, { name: "later", arguments: { a: "yes" } }))).toBe("yes!");
  expect(text(await call(registry, { name: "later", arguments: { a: "no" } }))).toContain("a: must not be no");
});

test("TOOL-11: missing arguments are read as an empty object", async () => {
  const registry = createToolRegistry([ping, add]);
  expect(text(await call(registry, { name: "ping" }))).toBe("pong");
  expect(await call(registry, { name: "add" })).toMatchObject({ result: { isError: true } });
});

test.each([
  ["null", null],
  ["[]", []],
  ['"text"', "text"],
  ["7", 7],
])("TOOL-11, TOOL-22: arguments that are %s are refused", async (kind, args) => {
  expect(await call(createToolRegistry([ping]), { name: "ping", arguments: args })).toEqual({
    type: "refused",
    reason: "invalid_params",
    message: `"arguments" must be an object, not ${kind}`,
  });
});

test("TOOL-21, TOOL-22: a request that names no tool that there is, is refused", async () => {
  const registry = createToolRegistry([ping]);
  const refused = { type: "refused", reason: "invalid_params" };
  expect(await call(registry, {})).toMatchObject({ ...refused, message: "Unknown tool undefined" });
  expect(await call(registry, { name: 7 })).toMatchObject({ ...refused, message: "Unknown tool 7" });
  expect(await call(registry, { name: "nope" })).toMatchObject({ ...refused, message: 'Unknown tool "nope"' });
  expect(await call(registry, { name: "__proto__" })).toMatchObject(refused);
});

test("BUG-102: a tool that is unknown or disabled is refused as bad params, wrong arguments are a result", async () => {
  const registry = createToolRegistry([ping, add]);
  registry.disable("ping");
  const unknown = await call(registry, { name: "no_such_tool" });
  expect(await call(registry, { name: "ping" })).toEqual({ ...unknown, message: 'Unknown tool "ping"' });
  expect(await call(registry, { name: "add", arguments: {} })).toMatchObject({ type: "complete" });
});

test("TOOL-23, TOOL-24: arguments that do not fit are an error result that says where, what and what was expected", async () => {
  const run = vi.fn();
  const input = z.object({ list: z.array(z.object({ n: z.number() })), id: z.string() });
  const registry = createToolRegistry([tool({ name: "strict", description, input, run })]);
  const outcome = await call(registry, { name: "strict", arguments: { list: [{ n: 1 }, { n: "two" }] } });
  expect(outcome).toMatchObject({ type: "complete", result: { isError: true } });
  expect(text(outcome)).toBe(
    [
      'The arguments of tool "strict" do not fit its input schema:',
      '- list.1.n: Invalid input: expected number, received string (it is "two")',
      "- id: Invalid input: expected string, received undefined",
    ].join("\n"),
  );
  expect(run).not.toHaveBeenCalled();
});

test("BUG-91: empty arguments are validated too, and the tool is not run", async () => {
  const run = vi.fn();
  const registry = createToolRegistry([
    tool({ name: "strict", description, input: z.object({ id: z.string() }), run }),
  ]);
  expect(await call(registry, { name: "strict", arguments: {} })).toMatchObject({ result: { isError: true } });
  expect(run).not.toHaveBeenCalled();
});

test("BUG-103: a tool without input refuses arguments, as its listed schema says", async () => {
  const outcome = await call(createToolRegistry([ping]), { name: "ping", arguments: { bogus: 1 } });
  expect(outcome).toMatchObject({ result: { isError: true } });
  expect(text(outcome)).toMatch(/- bogus: this tool takes no arguments/);
});

test("BUG-103: the schema that is listed is the one that is enforced", async () => {
  const input = z.strictObject({ text: z.string() });
  const registry = createToolRegistry([tool({ name: "echo", description, input, run: ({ text }) => text })]);
  expect(listTools(registry)[0]?.inputSchema).toMatchObject({ additionalProperties: false });
  const outcome = await call(registry, { name: "echo", arguments: { text: "x", bogus: 1 } });
  expect(outcome).toMatchObject({ result: { isError: true } });
});

test("TOOL-39: inputs are validated, defaults applied, and values are not coerced", async () => {
  const registry = createToolRegistry([add]);
  expect(text(await call(registry, { name: "add", arguments: { a: 1 } }))).toBe("3");
  expect(await call(registry, { name: "add", arguments: { a: "1" } })).toMatchObject({ result: { isError: true } });
  expect(await call(registry, { name: "add", arguments: { a: 1, b: 1.5 } })).toMatchObject({
    result: { isError: true },
  });
});

test("integers stay integers, and nested arguments stay objects", async () => {
  const run = vi.fn();
  const input = z.object({ n: z.int(), deep: z.object({ list: z.array(z.int()) }) });
  const args = { n: Number.MAX_SAFE_INTEGER, deep: { list: [1, 2] } };
  await callTool(createToolRegistry([tool({ name: "t", description, input, run })]), "t", args);
  expect(run).toHaveBeenCalledWith(args, expect.anything());
});

test("TOOL-25: what a tool throws is an error result with a reference, and its cause goes to onError only", async () => {
  const onError = vi.fn();
  const report = vi.fn();
  const broken = new Error("secret");
  const run = (): never => {
    throw broken;
  };
  const registry = createToolRegistry(
    [tool({ name: "sync", description, run }), tool({ name: "async", description, run: async () => run() })],
    { onError, report },
  );
  for (const name of ["sync", "async"]) {
    const outcome = await call(registry, { name });
    expect(outcome).toMatchObject({ type: "complete", result: { isError: true } });
    const [error, context] = onError.mock.lastCall ?? [];
    expect([error, context.tool]).toEqual([broken, name]);
    expect(report).toHaveBeenLastCalledWith({ kind: "tool_failed", error: broken, ...context });
    expect(text(outcome)).toBe(`Tool "${name}" failed (reference ${context.correlationId})`);
  }
});

test("a registry's error that a tool lets out is masked like any other", async () => {
  const registry = createToolRegistry([
    tool({ name: "t", description: "", run: () => registry.add(ping, { owner: "b" }) }),
  ]);
  registry.add(ping, { owner: "secret" });
  const outcome = await call(registry, { name: "t" });
  expect(text(outcome)).toMatch(/^Tool "t" failed \(reference /);
});

test("the message of a PublicError is for the caller to read", async () => {
  const onError = vi.fn();
  const run = async (): Promise<never> => {
    throw new PublicError("No city is called Atlantis", { cause: new Error("secret") });
  };
  const outcome = await call(createToolRegistry([tool({ name: "t", description, run })], { onError }), { name: "t" });
  expect(outcome).toEqual({
    type: "complete",
    result: { content: [{ type: "text", text: "No city is called Atlantis" }], isError: true },
  });
  expect(onError).not.toHaveBeenCalled();
});

test("TOOL-26: a protocol or access error that a tool throws passes through unchanged", async () => {
  for (const error of [new RpcError(-32602, "on purpose"), new AccessError("RATE_LIMITED", "slow down")]) {
    const run = (): never => {
      throw error;
    };
    const registry = createToolRegistry([
      tool({ name: "sync", description, run }),
      tool({ name: "async", description, run: async () => run() }),
    ]);
    expect(() => call(registry, { name: "sync" })).toThrow(error);
    await expect(call(registry, { name: "async" })).rejects.toBe(error);
  }
});

test("an onError that throws does not change the answer", async () => {
  const throwing = (): never => {
    throw new Error("broken");
  };
  const registry = createToolRegistry([tool({ name: "t", description, run: throwing })], { onError: throwing });
  expect(await call(registry, { name: "t" })).toMatchObject({ result: { isError: true } });
});

test("a tool that stops because it was told to is no failure", async () => {
  const onError = vi.fn();
  const controller = new AbortController();
  const run = (_: unknown, { signal }: { signal: AbortSignal }): Promise<never> =>
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const registry = createToolRegistry([tool({ name: "t", description, run })], { onError });
  const answer = call(registry, { name: "t" }, { signal: controller.signal });
  controller.abort(new Error("enough"));
  await expect(answer).rejects.toThrow("enough");
  expect(onError).not.toHaveBeenCalled();
});

test("CAN-07: a call that is aborted while its arguments are checked does not run the tool", async () => {
  const run = vi.fn();
  const controller = new AbortController();
  const input = z.object({}).refine(async () => true);
  const registry = createToolRegistry([tool({ name: "t", description, input, run })]);
  const answer = call(registry, { name: "t" }, { signal: controller.signal });
  controller.abort(new Error("enough"));
  await expect(answer).rejects.toThrow("enough");
  expect(run).not.toHaveBeenCalled();
});

test("VER-S-21: a tool that needs what the client does not declare is refused before it runs, naming what", async () => {
  const run = vi.fn(() => "ran");
  const needs = { elicitation: { url: {} }, roots: {} };
  const registry = createToolRegistry([tool({ name: "t", description, needs: clientWith(needs), run })]);
  const capabilities = { elicitation: {}, roots: { listChanged: true } };
  expect(await call(registry, { name: "t" }, { caller: { capabilities } })).toEqual({
    type: "refused",
    reason: "needs_capability",
    message: "this tool needs a client that declares elicitation",
    data: { requiredCapabilities: { elicitation: { url: {} } } },
  });
  expect(run).not.toHaveBeenCalled();
  expect(text(await call(registry, { name: "t" }, { caller: { capabilities: needs } }))).toBe("ran");
});

test("ELI-03: an empty elicitation capability means form", async () => {
  const registry = createToolRegistry([
    tool({ name: "form", description, needs: clientWith({ elicitation: { form: {} } }), run: () => "ran" }),
    tool({ name: "any", description, needs: clientWith({ elicitation: {} }), run: () => "ran" }),
  ]);
  const empty = { caller: { capabilities: { elicitation: {} } } };
  const urlOnly = { caller: { capabilities: { elicitation: { url: {} } } } };
  for (const name of ["form", "any"]) {
    expect(await call(registry, { name }, empty)).toMatchObject({ type: "complete" });
    expect(await call(registry, { name }, urlOnly)).toMatchObject({ type: "refused" });
  }
});

test("META-07: a tool sees the call's _meta as it came", async () => {
  const run = vi.fn();
  const meta = { "com.example/trace": { any: [1] } };
  await call(createToolRegistry([tool({ name: "t", description, run })]), { name: "t", _meta: meta }, { meta });
  expect(run.mock.lastCall?.[1]).toMatchObject({ meta, params: { name: "t", _meta: meta } });
});

test.each([
  ["an error", new Error("secret"), /^Tool "odd" failed \(reference /],
  ["an error for the caller's eyes", new PublicError("No city is called Atlantis"), /^No city is called Atlantis$/],
])("a tool that returns %s has failed, as if it had thrown it", async (_, error, shown) => {
  const onError = vi.fn();
  for (const output of [undefined, z.object({ a: z.number() })]) {
    for (const run of [() => error, async () => error]) {
      const odd = tool({ name: "odd", description, output, run: run as () => never });
      const outcome = await call(createToolRegistry([odd], { onError }), { name: "odd" });
      expect(outcome).toMatchObject({ result: { isError: true } });
      expect(text(outcome)).toMatch(shown);
    }
  }
  expect(onError).toHaveBeenCalledTimes(error instanceof PublicError ? 0 : 4);
});
