import { LocalError, RpcError } from "@parlance/jsonrpc";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { callTool, listTools } from "./local.js";
import { clientWith } from "./needs.js";
import { createToolRegistry, type ToolRegistry } from "./registry.js";
import type { RegistryReport } from "./report.js";
import { type AnyTool, tool } from "./tool.js";

function named(name: string, run: () => unknown = () => name): AnyTool {
  return tool({ name, description: "", run });
}

function names(registry: ToolRegistry): readonly string[] {
  return listTools(registry).map(({ name }) => name);
}

async function hearing(registry: ToolRegistry, act: () => void): Promise<number> {
  const listener = vi.fn();
  const end = registry.changed(listener);
  act();
  await Promise.resolve();
  end();
  for (const [change] of listener.mock.calls) expect(change).toEqual({ type: "tools" });
  return listener.mock.calls.length;
}

test("TOOL-01: a registry announces tools and that it notifies", () => {
  const { capabilities, promises } = createToolRegistry();
  expect({ capabilities, promises }).toEqual({
    capabilities: { tools: {} },
    promises: { tools: { listChanged: true } },
  });
});

test("TOOL-05: an odd name is taken, and reported", () => {
  const reports: RegistryReport[] = [];
  const odd = ["", "with space", "a,b", "Größe", "x".repeat(129), "🔧"];
  const good = ["get_user", "admin.tools-list", "A9", "x".repeat(128)];
  const registry = createToolRegistry(
    [...odd, ...good].map((name) => named(name)),
    { report: (report) => reports.push(report) },
  );
  expect(reports.map((report) => report.kind === "unusual_tool_name" && report.tool)).toEqual(odd);
  expect(reports[1]).toMatchObject({
    problem: 'a name should be 1 to 128 characters out of A-Z a-z 0-9 _ - ., not "with space"',
  });
  expect(names(registry)).toHaveLength(odd.length + good.length);
});

test("TOOL-06: case tells names apart", async () => {
  const registry = createToolRegistry([named("get", () => "small"), named("Get", () => "large")]);
  expect(await callTool(registry, "Get")).toEqual({ content: [{ type: "text", text: "large" }] });
  expect(await callTool(registry, "get")).toEqual({ content: [{ type: "text", text: "small" }] });
  await expect(callTool(registry, "GET")).rejects.toThrow("Unknown tool");
});

test("TOOL-07: a name that is taken is refused, and whoever has it keeps it", async () => {
  const registry = createToolRegistry();
  registry.add(
    named("search", () => "first"),
    { owner: "a", enabled: false },
  );
  expect(() =>
    registry.add(
      named("search", () => "second"),
      { owner: "b" },
    ),
  ).toThrow('the tool name "search" is taken by "a"; remove that tool or use another name');
  expect(() => createToolRegistry([named("x"), named("x")])).toThrow(LocalError);
  registry.removeOwner("b");
  registry.enable("search");
  expect(await callTool(registry, "search")).toEqual({ content: [{ type: "text", text: "first" }] });
});

test("what cannot be listed is refused and leaves nothing behind", () => {
  const registry = createToolRegistry();
  const input = { type: "object" } as never;
  expect(() => registry.add({ name: "x", description: "", run: () => {}, input })).toThrow(LocalError);
  expect(names(registry)).toEqual([]);
  registry.add(named("x"));
});

test.each(["inputSchema", "outputSchema"])("what other libraries call %s is not passed over", (member) => {
  const registry = createToolRegistry();
  expect(() => registry.add({ ...named("x"), [member]: { type: "object" } })).toThrow("here it is input or output");
  expect(names(registry)).toEqual([]);
});

test("a tool that does nothing is refused when it is added", () => {
  const registry = createToolRegistry();
  const idle = { ...named("x"), run: undefined as never };
  expect(() => registry.add(idle)).toThrow('run of tool "x" is undefined, and should be a function');
});

test("an owner's tools leave at once, and are heard of once", async () => {
  const registry = createToolRegistry([named("mine")]);
  for (const name of ["b", "a"]) registry.add(named(name), { owner: "server" });
  registry.add(named("c"), { owner: "other" });
  expect(await hearing(registry, () => expect(registry.removeOwner("server")).toEqual(["b", "a"]))).toBe(1);
  expect(names(registry)).toEqual(["c", "mine"]);
  expect(await hearing(registry, () => expect(registry.removeOwner("server")).toEqual([]))).toBe(0);
});

test("changes of one turn are heard once, those of another again", async () => {
  const registry = createToolRegistry([named("a")]);
  expect(
    await hearing(registry, () => {
      registry.add(named("b"));
      registry.disable("a");
      registry.remove("b");
    }),
  ).toBe(1);
  expect(await hearing(registry, () => registry.enable("a"))).toBe(1);
});

test("what changes nothing that is listed is not announced", async () => {
  const registry = createToolRegistry([named("a")]);
  const silent = (): void => {
    registry.add(named("hidden"), { enabled: false });
    expect(registry.enable("a")).toBe(false);
    expect(registry.disable("hidden")).toBe(false);
    expect(registry.enable("nobody")).toBe(false);
    expect(registry.remove("nobody")).toBe(false);
    expect(registry.remove("hidden")).toBe(true);
  };
  expect(await hearing(registry, silent)).toBe(0);
});

test("tools that were there before anybody listened are not announced", async () => {
  const listener = vi.fn();
  createToolRegistry([named("a")]).changed(listener);
  await Promise.resolve();
  expect(listener).not.toHaveBeenCalled();
});

// what a microtask throws, and a rejection that nobody handles, fail the run
test.each<[string, () => unknown]>([
  [
    "throw",
    () => {
      throw new Error("mine");
    },
  ],
  ["reject", () => Promise.reject(new Error("mine"))],
])("BUG-19: a listener, an onError and a report that %s end nothing", async (_, failing) => {
  const report = vi.fn<(report: RegistryReport) => void>(failing);
  const onError = vi.fn(failing);
  const registry = createToolRegistry([named("an odd name")], { report, onError });
  registry.changed(failing);
  const run = (): never => {
    throw new Error("tool");
  };
  expect(await hearing(registry, () => registry.add(named("fails", run)))).toBe(1);
  expect(await callTool(registry, "fails")).toMatchObject({ isError: true });
  expect(onError).toHaveBeenCalledOnce();
  expect(report.mock.calls.map(([{ kind }]) => kind)).toEqual(["unusual_tool_name", "listener_failed", "tool_failed"]);
});

test("a listener that throws is reported, and the others still hear", async () => {
  const reports: RegistryReport[] = [];
  const registry = createToolRegistry([], { report: (report) => reports.push(report) });
  const broken = new Error("broken");
  registry.changed(() => {
    throw broken;
  });
  expect(await hearing(registry, () => registry.add(named("a")))).toBe(1);
  expect(reports).toEqual([{ kind: "listener_failed", error: broken }]);
});

test("enabling and disabling works live, for the list and for calls", async () => {
  const registry = createToolRegistry([named("a"), named("b")]);
  expect(registry.disable("a")).toBe(true);
  expect(names(registry)).toEqual(["b"]);
  await expect(callTool(registry, "a")).rejects.toMatchObject({ code: -32602 });
  expect(registry.get("a")).toMatchObject({ name: "a" });
  expect(registry.enable("a")).toBe(true);
  expect(names(registry)).toEqual(["a", "b"]);
  expect(await callTool(registry, "a")).toMatchObject({ content: [{ text: "a" }] });
});

test("a registry is called without a server: failures are results, refusals are thrown", async () => {
  const registry = createToolRegistry([
    tool({ name: "double", description: "", input: z.object({ n: z.number() }), run: ({ n }) => n * 2 }),
    tool({ name: "asks", description: "", needs: clientWith({ sampling: {} }), run: () => "asked" }),
  ]);
  expect(await callTool(registry, "double", { n: 2 })).toEqual({ content: [{ type: "text", text: "4" }] });
  expect(await callTool(registry, "double", { n: "2" })).toMatchObject({ isError: true });
  await expect(callTool(registry, "nope")).rejects.toBeInstanceOf(RpcError);
  await expect(callTool(registry, "asks")).rejects.toBeInstanceOf(LocalError);
  await expect(callTool(registry, "asks")).rejects.toMatchObject({ code: "UNSUPPORTED" });
  const caller = { capabilities: { sampling: {} } };
  expect(await callTool(registry, "asks", {}, { caller })).toMatchObject({ content: [{ text: "asked" }] });
});

test("a call without a server ends with the signal's reason, even if the tool does not listen", async () => {
  const controller = new AbortController();
  const run = vi.fn(() => new Promise<never>(() => {}));
  const registry = createToolRegistry([named("deaf", run)]);
  const answer = callTool(registry, "deaf", {}, { signal: controller.signal });
  controller.abort(new Error("enough"));
  await expect(answer).rejects.toThrow("enough");
  await expect(callTool(registry, "deaf", {}, { signal: controller.signal })).rejects.toThrow("enough");
  expect(run).toHaveBeenCalledTimes(1);
});

test("a call without a server has progress and log that nobody hears, or somebody", async () => {
  const progress = vi.fn(async () => {});
  const registry = createToolRegistry([
    tool({
      name: "t",
      description: "",
      run: async (_, call) => {
        await call.progress(1, 2);
        await call.log("info", "half");
        return call.principal?.id ?? "nobody";
      },
    }),
  ]);
  expect(await callTool(registry, "t")).toMatchObject({ content: [{ text: "nobody" }] });
  const principal = { id: "ann", scopes: [] };
  expect(await callTool(registry, "t", {}, { progress, principal, log: undefined })).toMatchObject({
    content: [{ text: "ann" }],
  });
  expect(progress).toHaveBeenCalledWith(1, 2);
});
