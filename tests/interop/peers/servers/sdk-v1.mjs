import { randomUUID } from "node:crypto";
import { completable } from "@modelcontextprotocol/sdk/server/completable.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import {
  CreateMessageResultSchema,
  ElicitResultSchema,
  ListRootsResultSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { isHttp, isSse, serveNode } from "./http.mjs";
import {
  form,
  greeting,
  info,
  inputs,
  logged,
  note,
  page,
  people,
  progress,
  sampling,
  slow,
  stats,
  text,
} from "./tools.mjs";

function create() {
  const server = new McpServer(info, { capabilities: { logging: {}, resources: { subscribe: true } } });
  const add = (name, inputSchema, run) => server.registerTool(name, { description: name, inputSchema }, run);

  add("echo", inputs.echo, (args) => text(args.text));
  add("slow", inputs.slow, async ({ ms }, { signal }) => text(await slow(ms, signal)));
  add("progress", inputs.progress, async ({ steps }, { _meta, sendNotification }) => {
    const progressToken = _meta?.progressToken;
    const report = async (done, total) => {
      if (progressToken === undefined) return;
      await sendNotification({ method: "notifications/progress", params: { progressToken, progress: done, total } });
    };
    return text(await progress(steps, report));
  });
  server.registerTool("log", { description: "log", inputSchema: {} }, async (_, { sendNotification }) => {
    await sendNotification(logged);
    return text("done");
  });
  const ask = (name, method, params, Result) =>
    server.registerTool(name, { description: name, inputSchema: {} }, async (_, { sendRequest }) =>
      text(JSON.stringify(await sendRequest({ method, params }, Result))),
    );
  ask("form", "elicitation/create", form, ElicitResultSchema);
  const url = { ...page, mode: "url", elicitationId: "one" };
  ask("page", "elicitation/create", url, ElicitResultSchema);
  ask("model", "sampling/createMessage", sampling, CreateMessageResultSchema);
  ask("roots", "roots/list", undefined, ListRootsResultSchema);
  server.registerTool("touch", { description: "touch" }, async () => {
    await server.server.sendResourceUpdated({ uri: note.uri });
    return text("touched");
  });
  server.server.setRequestHandler(SubscribeRequestSchema, () => ({}));
  server.server.setRequestHandler(UnsubscribeRequestSchema, () => ({}));
  server.registerTool("stats", { description: "stats" }, () => text(stats()));
  server.registerResource("note", note.uri, {}, () => ({ contents: [note] }));
  const who = completable(z.string(), (typed) => people.filter((name) => name.startsWith(typed)));
  server.registerPrompt("greet", { argsSchema: { who } }, (args) => greeting(args.who));
  return server;
}

const sessions = new Map();

/** A server of its own for each session, as its documentation has it. */
async function serveSession(request, response) {
  const known = sessions.get(request.headers["mcp-session-id"]);
  if (known !== undefined) return known.handleRequest(request, response);
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  });
  await create().connect(transport);
  await transport.handleRequest(request, response);
}

/** The same over HTTP+SSE: a GET opens the session, and its messages come by POST to where the stream says. */
async function serveOlder(request, response) {
  const { searchParams } = new URL(request.url, "http://localhost");
  const known = sessions.get(searchParams.get("sessionId"));
  if (known !== undefined) return known.handlePostMessage(request, response);
  if (request.method !== "GET") return response.writeHead(405).end();
  const transport = new SSEServerTransport("/mcp", response);
  sessions.set(transport.sessionId, transport);
  response.once("close", () => sessions.delete(transport.sessionId));
  await create().connect(transport);
}

if (isHttp) serveNode(serveSession);
else if (isSse) serveNode(serveOlder);
else await create().connect(new StdioServerTransport());
