import { createServer, type Server } from "@parlance/server";
import { createToolRegistry, tool } from "@parlance/tool-registry";

/** A server that tells the time of the clock it is given. */
export function clockServer(now: () => Date): Server {
  const time = tool({ name: "time", description: "Tells the time", run: () => now().toISOString() });
  return createServer({ info: { name: "clock", version: "1.0.0" }, features: [createToolRegistry([time])] });
}
