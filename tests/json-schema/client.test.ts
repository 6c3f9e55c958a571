import { type Client, connectClient, listTools, outputSchemas } from "@parlance/client";
import { jsonSchema } from "@parlance/json-schema";
import type { JsonObject } from "@parlance/jsonrpc";
import { connect, memoryPair, over } from "@parlance/jsonrpc";
import { createServer } from "@parlance/server";
import { expect, test, vi } from "vitest";

/** A client of a server with one tool of that output schema, which always gives that value. */
async function connected(outputSchema: JsonObject, structuredContent: unknown): Promise<Client> {
  const tool = { name: "x", inputSchema: { type: "object" }, outputSchema };
  const [near, far] = memoryPair();
  const methods = {
    "tools/list": () => ({ type: "complete", result: { tools: [tool] } }) as const,
    "tools/call": () => ({ type: "complete", result: { content: [], structuredContent } }) as const,
  };
  const features = [{ capabilities: { tools: {} }, methods }];
  await connect(far, createServer({ info: { name: "s", version: "1" }, features }));
  const info = { name: "c", version: "1" };
  return connectClient({ dial: over(near), info, schemas: outputSchemas(jsonSchema) });
}

const local = { type: "object", properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: { type: "integer" } } };

test("TOOL-42: references inside a tool's schema hold for its results", async () => {
  for (const [value, fits] of [
    [{ a: 1 }, true],
    [{ a: "1" }, false],
  ] as const) {
    const client = await connected(local, value);
    expect(await listTools(client)).toHaveLength(1);
    const called = client.callTool("x");
    if (fits) expect((await called).structuredContent).toEqual(value);
    else await expect(called).rejects.toMatchObject({ code: "BAD_REPLY", details: { tool: "x" } });
    await client.close();
  }
});

test.each(["https://example.com/schema.json", "http://127.0.0.1:1/schema.json", "other.json", "#/$defs/missing"])(
  "TOOL-42, BUG-95: a reference to %s is never fetched: the tool is listed, and calling it says what is the matter",
  async ($ref) => {
    const fetch = vi.spyOn(globalThis, "fetch");
    const client = await connected({ $id: "https://example.com/tool.json", properties: { a: { $ref } } }, { a: 1 });
    expect(await listTools(client)).toHaveLength(1);
    await expect(client.callTool("x")).rejects.toMatchObject({ code: "BAD_REPLY", details: { tool: "x" } });
    expect(fetch).not.toHaveBeenCalled();
    fetch.mockRestore();
    await client.close();
  },
);

test("BUG-96: an older dialect is followed, and one that nobody knows is named", async () => {
  const draft07 = { $schema: "http://json-schema.org/draft-07/schema#", definitions: { a: { type: "integer" } } };
  const old = await connected({ ...draft07, properties: { a: { $ref: "#/definitions/a" } } }, { a: 1 });
  await listTools(old);
  expect((await old.callTool("x")).structuredContent).toEqual({ a: 1 });
  await old.close();
  const odd = await connected({ $schema: "https://example.com/dialect", type: "object" }, {});
  await listTools(odd);
  await expect(odd.callTool("x")).rejects.toMatchObject({ message: expect.stringContaining("example.com/dialect") });
  await odd.close();
});
