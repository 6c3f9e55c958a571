// All tools of a configuration's servers as one server: on stdio, or over HTTP with --http.
// node dist/main.js [--config parlance.json] [--tools greet,…] [--http]
import { once } from "node:events";
import { parseArgs } from "node:util";
import { findConfig, refuseTraversal, selectTools, serveProgram, startServers, toolPipeline } from "@parlance/host";
import { LocalError, serve } from "@parlance/jsonrpc";
import { createServer, listening, type Server } from "@parlance/server";
import { createToolRegistry } from "@parlance/tool-registry";
import { anonymous, createHttpHandler } from "@parlance/transport-http";
import { listen } from "@parlance/transport-http/node";
import { stdio } from "@parlance/transport-stdio";

async function overStdio(server: Server): Promise<void> {
  const peer = await serve(stdio({ exit: false }), server);
  await once(peer.closed, "abort");
}

async function overHttp(server: Server): Promise<void> {
  const open = await listen(createHttpHandler(server, { auth: anonymous() }));
  console.log(open.url);
  await Promise.race([once(process, "SIGTERM"), once(process, "SIGINT")]);
  await Promise.all([server.close(), open.close()]);
}

process.exitCode = await serveProgram("re-serve", async () => {
  const flag = { type: "boolean" } as const;
  const options = { config: { type: "string" }, tools: { type: "string" }, http: flag, help: flag } as const;
  const { values } = parseArgs({ options });
  if (values.help) return console.error("usage: re-serve [--config parlance.json] [--tools greet,…] [--http]");
  const found = findConfig({ flag: values.config });
  if (found === undefined) throw new LocalError("INVALID_ARGUMENT", "there is no parlance.json; name one by --config");
  const registry = createToolRegistry();
  const host = await startServers(found.config, registry);
  try {
    const { name = "re-serve", version = "1.0.0" } = found.config.server ?? {};
    const tools = values.tools === undefined ? registry : selectTools(registry, values.tools);
    const middleware = [toolPipeline({ guard: refuseTraversal() })];
    const server = createServer({ info: { name, version }, features: [tools, listening()], middleware });
    await (values.http ? overHttp(server) : overStdio(server));
  } finally {
    await host.close();
  }
});
