import { batches, type JsonObject } from "@parlance/jsonrpc";
import { describe, expect, test } from "vitest";
import type { Outcome } from "../feature.js";
import { complete, exchangeOn, factsOf, never, request, serve, under } from "../served.fixture.js";
import { handshakeVersions, type ProtocolVersion } from "../version.js";
import { handshakeServer } from "./server.js";

const era = handshakeServer({ batches });
const icons = [{ src: "https://example.com/i.png" }];
const _meta = { "com.example/x": 1 };

/** What a session of each revision is sent, newest first, of what a feature answers. */
async function sentOf(method: string, outcome: Outcome | JsonObject): Promise<readonly JsonObject[]> {
  const answer = "type" in outcome ? (outcome as Outcome) : complete(outcome);
  const facts = factsOf([era], { [method]: () => answer });
  return Promise.all(
    handshakeVersions.all.map((revision) => serve(era, request(method), facts, exchangeOn(under(revision)))),
  );
}

function only(value: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, value[name]]));
}

describe("lists", () => {
  const tool = {
    name: "t",
    title: "T",
    description: "d",
    inputSchema: { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object", "x-any": 1 },
    outputSchema: { type: "object" },
    annotations: { readOnlyHint: true },
    execution: { taskSupport: "optional" },
    icons,
    _meta,
    "x-vendor": 1,
  };

  test("LC-15, META-17: a tool is listed with what its session knows, and with what no revision knows", async () => {
    const bare = { ...tool, inputSchema: { type: "object", "x-any": 1 } };
    const old = ["name", "description", "inputSchema"];
    expect(await sentOf("tools/list", { tools: [tool], nextCursor: "c" })).toEqual([
      { tools: [tool], nextCursor: "c" },
      { tools: [only(bare, ...old, "title", "outputSchema", "annotations", "_meta", "x-vendor")], nextCursor: "c" },
      { tools: [only(bare, ...old, "annotations", "x-vendor")], nextCursor: "c" },
      { tools: [only(bare, ...old, "x-vendor")], nextCursor: "c" },
    ]);
  });

  test("TOOL-12: an outputSchema without an object root is left out", async () => {
    const sent = await sentOf("tools/list", { tools: [{ name: "t", outputSchema: { type: "array" } }] });
    expect(sent).toEqual(Array(4).fill({ tools: [{ name: "t" }] }));
  });

  test("LC-15, META-17: prompts, resources and templates too", async () => {
    const named = { name: "n", title: "N", icons, _meta };
    const argument = { name: "a", title: "A", required: true };
    expect(await sentOf("prompts/list", { prompts: [{ ...named, arguments: [argument] }] })).toEqual([
      { prompts: [{ ...named, arguments: [argument] }] },
      { prompts: [{ name: "n", title: "N", _meta, arguments: [argument] }] },
      { prompts: [{ name: "n", arguments: [{ name: "a", required: true }] }] },
      { prompts: [{ name: "n", arguments: [{ name: "a", required: true }] }] },
    ]);
    const annotations = { priority: 1, lastModified: "2025-01-01T00:00:00Z" };
    for (const [method, list] of [
      ["resources/list", "resources"],
      ["resources/templates/list", "resourceTemplates"],
    ]) {
      expect(await sentOf(method ?? "", { [list ?? ""]: [{ ...named, annotations }] })).toEqual([
        { [list ?? ""]: [{ ...named, annotations }] },
        { [list ?? ""]: [{ name: "n", title: "N", _meta, annotations }] },
        { [list ?? ""]: [{ name: "n", annotations: { priority: 1 } }] },
        { [list ?? ""]: [{ name: "n", annotations: { priority: 1 } }] },
      ]);
    }
  });

  test("META-17: contents of a resource", async () => {
    const contents = { uri: "u", text: "t" };
    expect(await sentOf("resources/read", { contents: [{ ...contents, _meta }], _meta })).toEqual([
      { contents: [{ ...contents, _meta }], _meta },
      { contents: [{ ...contents, _meta }], _meta },
      { contents: [contents], _meta },
      { contents: [contents], _meta },
    ]);
  });

  test("META-18: the server's own description", async () => {
    const info = { name: "s", version: "1", title: "S", description: "d", icons, websiteUrl: "https://example.com" };
    const facts = factsOf([era], {}, { completions: {}, tools: {} }, { info });
    const sent = await Promise.all(
      handshakeVersions.all.map((protocolVersion) =>
        serve(era, request("initialize", { protocolVersion }), facts, exchangeOn({ closed: never })),
      ),
    );
    expect(sent.map(({ serverInfo }) => serverInfo)).toEqual([
      info,
      only(info, "name", "version", "title"),
      only(info, "name", "version"),
      only(info, "name", "version"),
    ]);
    expect(sent.map(({ capabilities }) => capabilities)).toEqual([
      ...Array(3).fill({ completions: {}, tools: {} }),
      { tools: {} },
    ]);
  });
});

describe("content", () => {
  test("TOOL-34, TOOL-32: blocks that a session does not know become text", async () => {
    const content = [
      { type: "text", text: "a" },
      { type: "audio", data: "AAAA", mimeType: "audio/wav" },
      { type: "resource_link", uri: "file:///x", name: "x", icons, annotations: { priority: 1 } },
      { type: "video", data: "AAAA" },
    ];
    const [text, audio, link, video] = content;
    const audioText = { type: "text", text: "[audio, audio/wav]" };
    const linkText = { type: "text", text: "[resource link, x, file:///x]", annotations: { priority: 1 } };
    expect(await sentOf("tools/call", { content })).toEqual([
      { content },
      { content: [text, audio, only(link ?? {}, "type", "uri", "name", "annotations"), video] },
      { content: [text, audio, linkText, video] },
      { content: [text, audioText, linkText, video] },
    ]);
    const messages = [{ role: "user", content: audio }];
    expect((await sentOf("prompts/get", { messages })).at(-1)).toEqual({
      messages: [{ role: "user", content: audioText }],
    });
  });

  test("META-17: _meta and lastModified of blocks", async () => {
    const resource = { uri: "u", text: "t", _meta };
    const annotations = { priority: 1, lastModified: "2025-01-01T00:00:00Z" };
    const content = [{ type: "resource", resource, annotations, _meta }];
    const old = [{ type: "resource", resource: { uri: "u", text: "t" }, annotations: { priority: 1 } }];
    expect(await sentOf("tools/call", { content, _meta })).toEqual([
      { content, _meta },
      { content, _meta },
      { content: old, _meta },
      { content: old, _meta },
    ]);
  });

  test("LC-15, TOOL-17: structured content is an object, from 2025-06-18 on", async () => {
    const text = { content: [{ type: "text", text: "[1]" }] };
    for (const structuredContent of [[1], null, 0, false, ""]) {
      expect(await sentOf("tools/call", { ...text, structuredContent })).toEqual([text, text, text, text]);
    }
    const structuredContent = { a: 1 };
    const structured = { ...text, structuredContent };
    expect(await sentOf("tools/call", structured)).toEqual([structured, structured, text, text]);
  });

  test("RES-02: results are bare, of whatever type", async () => {
    const result = { content: [], resultType: "complete", ttlMs: 5, cacheScope: "public" };
    const bare = Array(4).fill({ content: [] });
    expect(await sentOf("tools/call", result)).toEqual(bare);
    expect(await sentOf("example/method", result)).toEqual(bare);
    expect(await sentOf("tools/call", { type: "extended", resultType: "task", result })).toEqual(bare);
    const cache = { ttlMs: 9, scope: "public" } as const;
    expect(await sentOf("tools/list", { type: "complete", result: { tools: [] }, cache })).toEqual(
      Array(4).fill({ tools: [] }),
    );
  });

  test("LC-15, PRG-05: progress has no message under 2024-11-05", async () => {
    const facts = factsOf([era], {
      "tools/call": async (call) => {
        await call.progress(1, 2, "half");
        return complete({ content: [] });
      },
    });
    for (const revision of handshakeVersions.all) {
      const exchange = exchangeOn(under(revision));
      await serve(era, request("tools/call", { _meta: { progressToken: "" } }), facts, exchange);
      const progress = { progressToken: "", progress: 1, total: 2 };
      const params = revision === "2024-11-05" ? progress : { ...progress, message: "half" };
      expect(exchange.sent).toEqual([{ method: "notifications/progress", params }]);
    }
  });
});

describe("what is sent as it is", () => {
  const newest: ProtocolVersion = "2025-11-25";
  const on = exchangeOn(under(newest));

  test("an ordinary result of the newest revision is not copied", async () => {
    const result = { content: [{ type: "text", text: "a" }], structuredContent: { a: 1 } };
    const facts = factsOf([era], { "tools/call": () => complete(result) });
    expect(await era.serve(request("tools/call"), on, facts)).toBe(result);
  });

  test("the text of a result that stays the same is made once a revision", async () => {
    const outcome: Outcome = { type: "complete", result: { tools: [{ name: "t", icons }] }, stable: true };
    const facts = factsOf([era], { "tools/list": () => outcome });
    const older = exchangeOn(under("2025-06-18"));
    const first = era.serve(request("tools/list"), on, facts);
    expect(era.serve(request("tools/list"), on, facts)).toBe(first);
    expect(era.serve(request("tools/list"), older, facts)).not.toBe(first);
    expect(await serve(era, request("tools/list"), facts, older)).toEqual({ tools: [{ name: "t" }] });
    expect(await serve(era, request("tools/list"), facts, on)).toEqual({ tools: [{ name: "t", icons }] });
  });
});
