// A server behind HTTP, as a program that ends on a signal: a call of its tool goes on until then, and is answered after.
import { createServer, listening } from "@parlance/server";
import { tool, tools } from "@parlance/tool-registry";
import { anonymous, createHttpHandler } from "@parlance/transport-http";
import { serve } from "@parlance/transport-http/node";

const told = new Promise<string>((resolve) => process.once("SIGTERM", () => resolve("told to end")));
const wait = tool({
  name: "wait",
  description: "Says what ended its wait",
  run: async (_, call) => {
    await call.progress(1);
    return told;
  },
});
const server = createServer({ info: { name: "ends", version: "1.0.0" }, features: [tools([wait]), listening()] });
const { url } = await serve(createHttpHandler(server, { auth: anonymous() }), { server });
process.stdout.write(`${url}\n`);
