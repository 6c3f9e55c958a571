// A server over HTTP, in both eras, with one tool.
import { createServer } from "@parlance/server";
import { tool, tools } from "@parlance/tool-registry";
import { anonymous, createHttpHandler } from "@parlance/transport-http";
import { serve } from "@parlance/transport-http/node";

const time = tool({ name: "time", description: "Tells the time", run: () => new Date().toISOString() });
const server = createServer({ info: { name: "clock", version: "1.0.0" }, features: [tools([time])] });
await serve(createHttpHandler(server, { auth: anonymous() }), { server });
