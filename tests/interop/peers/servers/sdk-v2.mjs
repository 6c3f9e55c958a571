import { completable, createMcpHandler, inputRequired, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";
import { isHttp, serveFetch } from "./http.mjs";
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
  add("slow", inputs.slow, async ({ ms }, { mcpReq }) => text(await slow(ms, mcpReq.signal)));
  add("progress", inputs.progress, async ({ steps }, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    const report = async (done, total) => {
      if (progressToken === undefined) return;
      await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress: done, total } });
    };
    return text(await progress(steps, report));
  });
  server.registerTool("log", { description: "log" }, async ({ mcpReq }) => {
    await mcpReq.notify(logged);
    return text("done");
  });
  const ask = (name, question) =>
    server.registerTool(name, { description: name }, ({ mcpReq }) => {
      const answer = mcpReq.inputResponses?.[name];
      return answer === undefined
        ? inputRequired({ inputRequests: { [name]: question } })
        : text(JSON.stringify(answer));
    });
  ask("form", inputRequired.elicit(form));
  ask("page", inputRequired.elicitUrl(page));
  ask("model", inputRequired.createMessage(sampling));
  ask("roots", inputRequired.listRoots());
  server.registerTool("touch", { description: "touch" }, async () => {
    if (isHttp) handler.notify.resourceUpdated(note.uri);
    else await server.server.sendResourceUpdated({ uri: note.uri });
    return text("touched");
  });
  server.server.setRequestHandler("resources/subscribe", () => ({}));
  server.server.setRequestHandler("resources/unsubscribe", () => ({}));
  server.registerTool("stats", { description: "stats" }, () => text(stats()));
  server.registerResource("note", note.uri, {}, () => ({ contents: [note] }));
  const who = completable(z.string(), (typed) => people.filter((name) => name.startsWith(typed)));
  server.registerPrompt("greet", { argsSchema: z.object({ who }) }, (args) => greeting(args.who));
  return server;
}

const handler = createMcpHandler(create);
if (isHttp) serveFetch(handler.fetch);
else serveStdio(create);
