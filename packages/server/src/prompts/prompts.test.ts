import { describe, expect, expectTypeOf, test } from "vitest";
import { serving, settled } from "../caller.fixture.js";
import { createPrompts, type FeatureSet, handshake, paged, prompt, stateless } from "../index.js";

const eras = [stateless(), handshake()];
const serve = (features: readonly FeatureSet[]) => serving(features, eras);

const review = prompt({
  name: "review",
  title: "Review code",
  description: "Asks for a review",
  arguments: {
    code: { description: "What to review", required: true },
    style: { title: "Style" },
  },
  get: ({ code, style }, call) => {
    expectTypeOf(code).toEqualTypeOf<string>();
    expectTypeOf(style).toEqualTypeOf<string | undefined>();
    return `${call.method}: ${style ?? "plain"} review of ${code}`;
  },
});
const greet = prompt({ name: "greet", get: () => "Hello" });
const { visitor, session } = serve([createPrompts([review, greet])]);

function text(result: { messages: readonly { content: { text: string } }[] }): readonly string[] {
  return result.messages.map(({ content }) => content.text);
}

describe("lists", () => {
  test("PRM-01, PRM-02: prompts are announced and listed, in ordinal order", async () => {
    expect((await visitor().ask("server/discover")).result.capabilities).toEqual({ prompts: { listChanged: true } });
    const { welcome, ask } = await session();
    expect(welcome.result.capabilities).toEqual({ prompts: { listChanged: true } });
    expect((await ask("prompts/list")).result).toEqual({
      prompts: [
        { name: "greet" },
        {
          name: "review",
          title: "Review code",
          description: "Asks for a review",
          arguments: [
            { name: "code", description: "What to review", required: true },
            { name: "style", title: "Style" },
          ],
        },
      ],
    });
  });

  test("older sessions are listed what they know", async () => {
    const { ask } = await session("2024-11-05");
    expect((await ask("prompts/list")).result.prompts[1]).toEqual({
      name: "review",
      description: "Asks for a review",
      arguments: [{ name: "code", description: "What to review", required: true }, { name: "style" }],
    });
  });

  test("PAG-08: pages have one scope, and a made-up cursor is refused", async () => {
    const options = { pages: paged(1), cache: { ttlMs: 5, scope: "public" } } as const;
    const { ask } = serve([createPrompts([review, greet], options)]).visitor();
    const first = (await ask("prompts/list")).result;
    expect(first).toMatchObject({ prompts: [{ name: "greet" }], ttlMs: 5, cacheScope: "public" });
    const second = (await ask("prompts/list", { cursor: first.nextCursor })).result;
    expect(second).toMatchObject({ prompts: [{ name: "review" }], ttlMs: 5, cacheScope: "public" });
    expect(second).not.toHaveProperty("nextCursor");
    expect((await ask("prompts/list", { cursor: "zzz" })).error?.code).toBe(-32602);
  });

  test("PRM-10: that the list changed is told, once for all changes of a turn", async () => {
    const prompts = createPrompts([greet]);
    const { told, ask } = await serve([prompts]).session();
    prompts.add(review, { owner: "me" });
    prompts.disable("greet");
    await settled();
    expect(told).toEqual([{ method: "notifications/prompts/list_changed", params: {} }]);
    expect((await ask("prompts/get", { name: "greet" })).error?.code).toBe(-32602);
    expect(prompts.enable("greet")).toBe(true);
    expect(prompts.removeOwner("me")).toEqual(["review"]);
    expect([prompts.get("greet"), prompts.remove("greet"), prompts.get("greet")]).toEqual([greet, true, undefined]);
  });
});

describe("getting", () => {
  test("PRM-06: what a prompt does not declare does not reach it", async () => {
    const looks = prompt({ name: "looks", arguments: { a: {} }, get: (values) => JSON.stringify(values) });
    const { ask } = serve([createPrompts([looks])]).visitor();
    const given = JSON.parse('{ "a": "1", "b": "2", "__proto__": "3" }');
    expect(text((await ask("prompts/get", { name: "looks", arguments: given })).result)).toEqual(['{"a":"1"}']);
    expect(text((await ask("prompts/get", { name: "looks" })).result)).toEqual(["{}"]);
  });

  test("values are handed over, in both eras", async () => {
    const params = { name: "review", arguments: { code: "x = 1", style: "terse" } };
    const { result } = await visitor().ask("prompts/get", params);
    expect(result).toMatchObject({
      resultType: "complete",
      description: "Asks for a review",
      messages: [{ role: "user", content: { type: "text", text: "prompts/get: terse review of x = 1" } }],
    });
    expect(result).not.toHaveProperty("ttlMs");
    expect(text((await (await session()).ask("prompts/get", params)).result)).toHaveLength(1);
  });

  test.each([
    ["an unknown prompt", { name: "nope" }, '"nope"'],
    ["no name", {}, "undefined"],
    ["a required argument that is missing", { name: "review" }, '"code"'],
    ["a required argument that is missing", { name: "review", arguments: { style: "x" } }, '"code"'],
    ["a number", { name: "review", arguments: { code: 1 } }, '"code"'],
    ["null", { name: "review", arguments: { code: null } }, '"code"'],
    ["a list of arguments", { name: "review", arguments: ["x"] }, "an object"],
  ])("PRM-03, PRM-04, PRM-05, ERR-11: %s is −32602, and the prompt is not run: %j", async (_what, params, names) => {
    for (const caller of [visitor(), await session()]) {
      const { error } = await caller.ask("prompts/get", params);
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(names) });
    }
  });

  test("PRM-03: what fails inside is −32603 and says nothing more", async () => {
    const fails = prompt({ name: "fails", get: () => Promise.reject(new Error("secret")) });
    const { error } = await serve([createPrompts([fails])])
      .visitor()
      .ask("prompts/get", { name: "fails" });
    expect(error).toMatchObject({ code: -32603, message: "Internal error" });
  });

  test("RSC-21: a prompt that a caller may not see is unknown to it", async () => {
    const { ask } = serve([createPrompts([greet], { visible: () => false })]).visitor();
    expect((await ask("prompts/list")).result.prompts).toEqual([]);
    expect((await ask("prompts/get", { name: "greet" })).error?.code).toBe(-32602);
  });
});

describe("messages", () => {
  const given = async (returned: unknown) => {
    const gives = prompt({ name: "p", get: () => returned as string });
    return serve([createPrompts([gives])])
      .visitor()
      .ask("prompts/get", { name: "p" });
  };
  const image = { type: "image", data: "AA==", mimeType: "image/png" };
  const audio = { type: "audio", data: "AA==", mimeType: "audio/wav" };
  const user = (content: object) => ({ role: "user", content });

  test("PRM-07, PRM-09: text, blocks and messages of either role, each with one block", async () => {
    const answer = { role: "assistant", content: "Fine" };
    const { result } = await given(["How?", answer, image, { role: "assistant", content: audio }]);
    expect(result.messages).toEqual([
      user({ type: "text", text: "How?" }),
      { role: "assistant", content: { type: "text", text: "Fine" } },
      user(image),
      { role: "assistant", content: audio },
    ]);
    expect((await given(image)).result.messages).toEqual([user(image)]);
    const whole = { messages: ["x"], description: "Its own", _meta: { "a.b/c": 1 } };
    expect((await given(whole)).result).toMatchObject({ description: "Its own", _meta: { "a.b/c": 1 } });
  });

  test("PRM-08: an embedded resource has a URI, a type and one of text and blob", async () => {
    const embedded = (resource: object) => ({ type: "resource", resource });
    const typed = { uri: "test://x", mimeType: "text/csv", text: "a" };
    expect((await given(embedded(typed))).result.messages).toEqual([user(embedded(typed))]);
    const bare = [embedded({ uri: "a:b", text: "" }), embedded({ uri: "a:b", blob: "AA==" })];
    expect((await given(bare)).result.messages).toMatchObject([
      user(embedded({ mimeType: "text/plain" })),
      user(embedded({ mimeType: "application/octet-stream" })),
    ]);
    for (const wrong of [{ uri: "no uri", text: "" }, { uri: "a:b" }, { uri: "a:b", text: "", blob: "" }]) {
      expect((await given(embedded(wrong))).error?.code).toBe(-32603);
    }
  });

  test.each([
    [{ role: "system", content: "x" }],
    [{ role: "user", content: [{ type: "text", text: "x" }] }],
    [{ type: "image", data: "AA==" }],
    [{ type: "hologram" }],
    [{ messages: [{ role: "user" }] }],
  ])("PRM-09: %j is no message", async (wrong) => {
    expect((await given(wrong)).error?.code).toBe(-32603);
  });
});

test("a prompt that is there already, or wrong, is refused", () => {
  const taken = expect.objectContaining({ code: "INVALID_ARGUMENT", details: { taken: "greet" } });
  expect(() => createPrompts([greet, greet])).toThrow(taken);
  expect(() => createPrompts([{ ...greet, name: "" }])).toThrow(/not empty/);
  expect(() => createPrompts([{ ...greet, icons: [{ src: "ftp://x" }] }])).toThrow(/ftp/);
});
