import { LocalError } from "@parlance/jsonrpc";
import { callTool, createToolRegistry, listTools } from "@parlance/tool-registry";
import { expect, test } from "vitest";
import { selectTools } from "./middleware.js";
import { says } from "./servers.fixture.js";
import { serveProgram, servingVariable } from "./serving.js";

async function run(main: () => Promise<void>, env: Record<string, string | undefined> = {}) {
  const lines: string[] = [];
  const code = await serveProgram("gather", main, { env, print: (line) => lines.push(line) });
  return { code, lines, env };
}

const registry = createToolRegistry([says("read", "r"), says("Read", "R"), says("write", "w")]);

test("O-85: a selection names tools, trimmed and case-sensitively, and only those are listed and called", async () => {
  const selected = selectTools(registry, " read , write,");
  expect(listTools(selected).map(({ name }) => name)).toEqual(["read", "write"]);
  expect((await callTool(selected, "read")).content).toEqual([{ type: "text", text: "r" }]);
  await expect(callTool(selected, "Read")).rejects.toMatchObject({ code: -32602, message: 'Unknown tool "Read"' });
});

test("O-85: an unknown name refuses the start by that name, and so does an empty selection", () => {
  expect(() => selectTools(registry, "read,WRITE, rm")).toThrow(
    expect.objectContaining({
      code: "INVALID_ARGUMENT",
      message: 'there is no tool "WRITE", "rm"; there are Read, read, write',
    }),
  );
  for (const empty of ["", " , ", []]) {
    expect(() => selectTools(registry, empty)).toThrow(
      "the selection names no tool; name one or more, or leave it out",
    );
  }
});

test("a selection is live: what is added to the registry later is not in it, what is removed is gone", () => {
  const growing = createToolRegistry([says("a", ""), says("b", "")]);
  const selected = selectTools(growing, ["a", "b"]);
  growing.add(says("c", ""));
  growing.remove("b");
  expect(listTools(selected).map(({ name }) => name)).toEqual(["a"]);
});

test("O-86: it ends with 0 when the client is done, 1 for a refused setting, 2 for what nobody expected, in one line", async () => {
  const env = {};
  expect(await run(async () => undefined, env)).toEqual({ code: 0, lines: [], env: {} });
  const refuse = async (): Promise<void> => void selectTools(registry, "");
  expect(await run(refuse)).toMatchObject({ code: 1, lines: [/^gather: the selection names no tool/] });
  const fail = (): Promise<void> => Promise.reject(new TypeError("x is\nno function"));
  expect(await run(fail)).toMatchObject({ code: 2, lines: ["gather: unexpected error [TypeError]: x is no function"] });
  const closed = (): Promise<void> => Promise.reject(new LocalError("CLOSED", "gone"));
  expect(await run(closed)).toMatchObject({ code: 2, lines: ["gather: unexpected error [LocalError]: gone"] });
});

test("O-87: while it serves, what it starts sees so; one that sees it refuses at once", async () => {
  const env: Record<string, string | undefined> = {};
  let inner: unknown;
  await run(async () => {
    inner = await run(() => Promise.reject(new Error("it must not run")), { ...env });
  }, env);
  expect(inner).toMatchObject({ code: 1, lines: [/^gather: it was started by "gather", which serves already/] });
  expect(env).toEqual({});
  expect(servingVariable).toBe("PARLANCE_SERVING");
});
