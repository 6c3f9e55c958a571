import { describe, expect, test } from "vitest";
import { serving } from "../caller.fixture.js";
import {
  type Completer,
  createPrompts,
  createResources,
  type FeatureSet,
  handshake,
  prompt,
  resourceTemplate,
  stateless,
} from "../index.js";

const eras = [stateless(), handshake()];
const serve = (features: readonly FeatureSet[]) => serving(features, eras);

const many = Array.from({ length: 250 }, (_, index) => `v${index}`);

function server(complete: Completer | undefined) {
  const asks = prompt({ name: "asks", arguments: { a: { complete }, other: {} }, get: () => "" });
  const family = resourceTemplate({
    uriTemplate: "t:{x}",
    name: "t",
    complete: { x: ["pear", "Apple", "pineapple"] },
    read: ({ x }) => x,
  });
  return serve([createPrompts([asks]), createResources([family])]);
}

async function complete(completer: Completer | undefined, params: object = {}) {
  const ref = { type: "ref/prompt", name: "asks" };
  return server(completer)
    .visitor()
    .ask("completion/complete", { ref, argument: { name: "a", value: "" }, ...params });
}

describe("values", () => {
  test("CMP-07: of a list come those that start with what was typed, then those that contain it", async () => {
    const typed = { argument: { name: "a", value: "AP" } };
    const { result } = await complete(["grape", "apple", "pineapple", "Apricot"], typed);
    expect(result.completion).toEqual({ values: ["apple", "Apricot", "grape", "pineapple"] });
  });

  test.each([
    ["a list", many],
    ["a function", () => many],
    ["a promise", async () => ({ values: many })],
  ])("CMP-02, BUG-108: of 250 values of %s, 100 are sent and the rest is counted", async (_what, completer) => {
    const { completion } = (await complete(completer)).result;
    expect(completion).toEqual({ values: many.slice(0, 100), total: 250, hasMore: true });
  });

  test("CMP-02: a completer that knows of more says so", async () => {
    const { completion } = (await complete(() => ({ values: ["a"], total: 7_000, hasMore: true }))).result;
    expect(completion).toEqual({ values: ["a"], total: 7_000, hasMore: true });
  });

  test("CMP-05: an argument without completer has none", async () => {
    const { result } = await complete(["x"], { argument: { name: "other", value: "x" } });
    expect(result).toMatchObject({ resultType: "complete", completion: { values: [] } });
  });

  test("CMP-06: what was chosen already is handed over", async () => {
    const completer: Completer = (value, { country = "?" }, call) => [`${value} ${country} ${call.method}`];
    const typed = { argument: { name: "a", value: "Ly" }, context: { arguments: { country: "FR" } } };
    expect((await complete(completer, typed)).result.completion.values).toEqual(["Ly FR completion/complete"]);
    expect((await complete(completer)).result.completion.values).toEqual([" ? completion/complete"]);
  });

  test("CMP-03: a template is named by its text, or by a URI that fits it", async () => {
    for (const uri of ["t:{x}", "t:anything"]) {
      const params = { ref: { type: "ref/resource", uri }, argument: { name: "x", value: "p" } };
      expect((await complete([], params)).result.completion.values).toEqual(["pear", "pineapple", "Apple"]);
    }
  });
});

describe("CMP-04, ERR-11: what cannot be completed is −32602", () => {
  test.each([
    { ref: { type: "ref/prompt", name: "nope" } },
    { ref: { type: "ref/prompt" } },
    { ref: { type: "ref/resource", uri: "nope:{x}" } },
    { ref: { type: "ref/tool", name: "x" } },
    { ref: "asks" },
    { ref: undefined },
    { argument: undefined },
    { argument: { name: "a" } },
    { argument: { name: "a", value: 1 } },
    { argument: { name: "nope", value: "" } },
    { context: "x" },
    { context: { arguments: { b: 1 } } },
  ])("%j", async (params) => {
    expect((await complete(["x"], params)).error?.code).toBe(-32602);
  });
});

test("CMP-04: where nothing completes, it is unknown and not announced", async () => {
  const bare = prompt({ name: "asks", arguments: { a: {} }, get: () => "" });
  const { visitor, session } = serve([createPrompts([bare]), createResources()]);
  const params = { ref: { type: "ref/prompt", name: "asks" }, argument: { name: "a", value: "" } };
  expect((await visitor().ask("completion/complete", params)).error?.code).toBe(-32601);
  expect((await session()).welcome.result.capabilities).not.toHaveProperty("completions");
});

test("CMP-04: a completer that fails is −32603", async () => {
  expect((await complete(() => Promise.reject(new Error("secret")))).error?.code).toBe(-32603);
});

test("CMP-01: completions are announced as soon as something completes; 2024-11-05 has no word for it, and may ask", async () => {
  const { session, visitor } = server(undefined);
  expect((await visitor().ask("server/discover")).result.capabilities).toHaveProperty("completions", {});
  expect((await session("2025-03-26")).welcome.result).toBeDefined();
  expect((await session("2025-06-18")).welcome.result.capabilities).toHaveProperty("completions", {});
  const { welcome, ask } = await session("2024-11-05");
  expect(welcome.result.capabilities).not.toHaveProperty("completions");
  const params = { ref: { type: "ref/resource", uri: "t:{x}" }, argument: { name: "x", value: "A" } };
  expect((await ask("completion/complete", params)).result.completion.values).toContain("Apple");
});
