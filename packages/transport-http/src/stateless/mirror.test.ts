import { type Client, connectClient, listTools, stateless } from "@parlance/client";
import { connect, memoryPair, over } from "@parlance/jsonrpc";
import { expect, onTestFinished, test, vi } from "vitest";
import type { HttpClientReport } from "../client/report.js";
import {
  discovered,
  error,
  result,
  type Script,
  type Scripted,
  type Seen,
  scripted,
} from "../client/scripted.fixture.js";
import { type HttpOptions, http } from "../dial.js";

const info = { name: "test", version: "1" };
const done = { resultType: "complete", content: [] };

function serve(script: (seen: Seen) => Response | Promise<Response> | undefined): Script {
  return (seen) => script(seen) ?? result(seen, seen.message.method === "server/discover" ? discovered : done);
}

function connectTo({ url, fetch }: Scripted, report?: HttpOptions["report"]): Promise<Client> {
  return connectClient({ dial: http(url, { fetch, report }), info, eras: [stateless()] });
}

const annotated = (name: string, properties: unknown, more: object = {}): object => ({
  name,
  inputSchema: { type: "object", properties, ...more },
});
const report = annotated("report", {
  region: { type: "string", "x-mcp-header": "Region" },
  count: { type: "integer", "x-mcp-header": "Count" },
  deep: { type: "object", properties: { flag: { type: "boolean", "x-mcp-header": "Flag", default: true } } },
  "x-mcp-header": { type: "string" },
});
const listed = (seen: Seen, tools: readonly unknown[]): Response => result(seen, { ...done, tools, ttlMs: 0 });
const lists = (...tools: readonly object[]): Script =>
  serve((seen) => (seen.message.method === "tools/list" ? listed(seen, tools) : undefined));

function sent({ headers }: Seen): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith("mcp-param-")));
}

async function mirror(args: Record<string, unknown>): Promise<Record<string, string>> {
  const server = scripted(lists(report));
  const client = await connectTo(server);
  await listTools(client);
  await client.callTool("report", args);
  return sent(server.seen.at(-1) as Seen);
}

test("XMH-01, XMH-13: what is annotated is repeated, from where it is, however the tool is called", async () => {
  const args = { region: "eu", count: 3, deep: { flag: false }, flag: true };
  const expected = { "mcp-param-region": "eu", "mcp-param-count": "3", "mcp-param-flag": "false" };
  expect(await mirror(args)).toEqual(expected);
  const server = scripted(lists(report));
  const client = await connectTo(server);
  await client.request("tools/list");
  await client.request("tools/call", { name: "report", arguments: args });
  expect(sent(server.seen.at(-1) as Seen)).toEqual(expected);
  expect(server.seen.at(-1)?.message.params?.["arguments"]).toEqual(args);
});

test("XMH-09, XMH-10: a tool that is left out is reported to the client, unless the dial has a listener of its own", async () => {
  const bad = annotated("bad", { x: { type: "number", "x-mcp-header": "X" } });
  const { url, fetch } = scripted(lists(report, bad));
  const all: string[][] = [];
  for (const own of [false, true]) {
    const heard: string[] = [];
    const hear = (who: string) => (what: { readonly kind: string }) => void heard.push(`${who}: ${what.kind}`);
    const dial = http(url, { fetch, report: own ? hear("dial") : undefined });
    const client = await connectClient({ dial, info, eras: [stateless()], report: hear("client") });
    expect((await listTools(client)).map(({ name }) => name)).toEqual(["report"]);
    all.push(heard);
  }
  expect(all).toEqual([["client: tool_left_out"], ["dial: tool_left_out"]]);
});

test("XMH-14, XMH-15: what is absent or null gives no header, and a default gives none", async () => {
  expect(await mirror({ region: null, deep: {} })).toEqual({});
  expect(await mirror({ deep: null })).toEqual({});
});

test.each([
  ["plain text", "plain text"],
  ["", ""],
  [" x ", "=?base64?IHgg?="],
  ["Zürich", "=?base64?WsO8cmljaA==?="],
  ["a\tb", "=?base64?YQli?="],
  ["a\nb", "=?base64?YQpi?="],
  ["=?base64?x?=", "=?base64?PT9iYXNlNjQ/eD89?="],
  ["=?BASE64?x?=", "=?BASE64?x?="],
])("XMH-16, XMH-17, XMH-18, XMH-19, XMH-20: %j is sent as %j", async (value, header) => {
  expect(await mirror({ region: value })).toEqual({ "mcp-param-region": header });
});

test.each([2 ** 53, -(2 ** 53), 1e21, 1.5, Number.NaN])(
  "XMH-07, XMH-16: %d is refused before it is sent",
  async (count) => {
    const server = scripted(lists(report));
    const client = await connectTo(server);
    await listTools(client);
    await expect(client.callTool("report", { count })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(server.methods).not.toContain("tools/call");
  },
);

test("XMH-07: the largest integers are sent in decimal", async () => {
  expect(await mirror({ count: 2 ** 53 - 1 })).toEqual({ "mcp-param-count": "9007199254740991" });
});

const bad: Readonly<Record<string, object>> = {
  "XMH-03: an empty name": { a: { type: "string", "x-mcp-header": "" } },
  "XMH-04: a name with a space": { a: { type: "string", "x-mcp-header": "Bad Name" } },
  "XMH-04: a name with a colon": { a: { type: "string", "x-mcp-header": "A:B" } },
  "XMH-04: a name beyond ASCII": { a: { type: "string", "x-mcp-header": "Régión" } },
  "XMH-04: a name with a line break": { a: { type: "string", "x-mcp-header": "A\r\nB" } },
  "a name that is no string": { a: { type: "string", "x-mcp-header": 7 } },
  "XMH-05: a name twice": {
    a: { type: "string", "x-mcp-header": "Same" },
    b: { type: "object", properties: { c: { type: "string", "x-mcp-header": "same" } } },
  },
  "XMH-06: a number": { a: { type: "number", "x-mcp-header": "A" } },
  "XMH-06: an object": { a: { type: "object", "x-mcp-header": "A" } },
  "XMH-06: an array": { a: { type: "array", "x-mcp-header": "A" } },
  "XMH-06: null": { a: { type: "null", "x-mcp-header": "A" } },
  "XMH-06: a list of types": { a: { type: ["string", "null"], "x-mcp-header": "A" } },
  "XMH-06: no type": { a: { "x-mcp-header": "A" } },
  ...Object.fromEntries(
    ["items", "not", "if", "then", "else", "additionalProperties", "contains", "propertyNames", "unevaluatedItems"].map(
      (keyword) => [`XMH-08: below ${keyword}`, { a: { [keyword]: { type: "string", "x-mcp-header": "A" } } }],
    ),
  ),
  ...Object.fromEntries(
    ["oneOf", "anyOf", "allOf", "prefixItems"].map((keyword) => [
      `XMH-08: below ${keyword}`,
      { a: { [keyword]: [{ properties: { b: { type: "string", "x-mcp-header": "A" } } }] } },
    ]),
  ),
  ...Object.fromEntries(
    ["$defs", "patternProperties", "dependentSchemas"].map((keyword) => [
      `XMH-08: below ${keyword}`,
      { a: { [keyword]: { b: { type: "string", "x-mcp-header": "A" } } } },
    ]),
  ),
};
test.each(Object.entries(bad))(
  "XMH-03, XMH-04, XMH-05, XMH-06, XMH-08, XMH-09, XMH-10, BUG-182: a tool is left out and reported, the others stay: %s",
  async (_, properties) => {
    const broken = annotated("broken", properties);
    const server = scripted(lists(report, broken, annotated("plain", {})));
    const reports: HttpClientReport[] = [];
    const client = await connectTo(server, (what) => reports.push(what));
    expect((await listTools(client)).map(({ name }) => name)).toEqual(["report", "plain"]);
    expect(reports).toEqual([
      { kind: "tool_left_out", reason: expect.stringMatching(/^broken: x-mcp-header/), tool: broken },
    ]);
  },
);

test("XMH-08: a value that looks like an annotation is none", async () => {
  const properties = { a: { type: "object", default: { "x-mcp-header": 1 }, examples: [{ "x-mcp-header": 2 }] } };
  const server = scripted(lists(annotated("fine", properties)));
  expect(await listTools(await connectTo(server))).toHaveLength(1);
});

test("XMH-31: a tool that was never listed is called without", async () => {
  const server = scripted(lists(report));
  const client = await connectTo(server);
  await client.callTool("report", { region: "eu" });
  expect(sent(server.seen.at(-1) as Seen)).toEqual({});
});

/** Lists the tool on its second page, and insists on the header. */
const insistent: Script = serve((seen) => {
  const { method, params } = seen.message;
  if (method === "tools/list") {
    return params?.["cursor"] === undefined
      ? result(seen, { ...done, tools: [], nextCursor: "" })
      : listed(seen, [report]);
  }
  if (method !== "tools/call") return undefined;
  return seen.headers["mcp-param-region"] === "eu" ? undefined : error(seen, -32020, 400);
});

test("XMH-30: headers that differ make the client list the tools again and call once more", async () => {
  const server = scripted(insistent);
  const client = await connectTo(server);
  await client.callTool("report", { region: "eu" });
  expect(server.methods).toEqual(["server/discover", "tools/call", "tools/list", "tools/list", "tools/call"]);
});

test("XMH-30: that list says who asks, and takes no progress for the call", async () => {
  const server = scripted(insistent);
  const client = await connectTo(server);
  await client.callTool("report", { region: "eu" }, { onProgress: () => {} });
  const [, called, listing, next] = server.seen.map(({ message }) => message.params);
  const { progressToken, ...envelope } = Object(called?.["_meta"]);
  expect(progressToken).toBeDefined();
  expect(listing).toEqual({ _meta: envelope });
  expect(next).toEqual({ _meta: envelope, cursor: "" });
});

test("XMH-30: once, and for all calls together", async () => {
  const server = scripted(insistent);
  const client = await connectTo(server);
  await expect(client.callTool("report", { region: "us" })).rejects.toMatchObject({ code: -32020 });
  expect(server.methods.filter((method) => method === "tools/call")).toHaveLength(2);
  const other = scripted(insistent);
  const both = await connectTo(other);
  await Promise.all([1, 2, 3].map(() => both.callTool("report", { region: "eu" })));
  expect(other.methods.filter((method) => method === "tools/list")).toHaveLength(2);
});

test("a server that does not list its tools again keeps no call", async () => {
  const timeout = new AbortController();
  const server = scripted(
    serve((seen) => {
      if (seen.message.method === "tools/call") return error(seen, -32020, 400);
      if (seen.message.method !== "tools/list") return undefined;
      timeout.abort(new Error("too long"));
      return new Promise<never>(() => {});
    }),
  );
  const client = await connectTo(server);
  const bounded = vi.spyOn(AbortSignal, "timeout").mockReturnValue(timeout.signal);
  onTestFinished(() => bounded.mockRestore());
  await expect(client.callTool("report", { region: "eu" })).rejects.toMatchObject({ code: -32020 });
  expect(server.methods).toEqual(["server/discover", "tools/call", "tools/list"]);
});

test("a call that is given up while its headers are mirrored ends at once", async () => {
  const server = scripted(
    serve((seen) => {
      if (seen.message.method === "tools/list") return listed(seen, [report]);
      return seen.message.method === "tools/call" ? new Promise<never>(() => {}) : undefined;
    }),
  );
  const client = await connectTo(server);
  await listTools(client);
  const giving = new AbortController();
  const calling = client.callTool("report", { region: "eu" }, { signal: giving.signal });
  giving.abort(new Error("enough"));
  await expect(calling).rejects.toThrow("enough");
});

test("XMH-11: a pipe lists the tool whatever its annotations", async () => {
  const [ours, theirs] = memoryPair();
  const tools = [{ name: "odd", inputSchema: { type: "object", properties: { a: { "x-mcp-header": "" } } } }];
  await connect(theirs, { request: ({ method }) => (method === "server/discover" ? discovered : { ...done, tools }) });
  const client = await connectClient({ dial: over(ours), info });
  expect(await listTools(client)).toHaveLength(1);
  await client.close();
});
