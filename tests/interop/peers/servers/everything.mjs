// The reference server as it is, but on a free port of loopback, printing its address.
import { createRequire } from "node:module";
import { Server } from "node:net";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const { listen } = Server.prototype;
Server.prototype.listen = function (_port, ...rest) {
  this.once("listening", () => process.stdout.write(`http://127.0.0.1:${this.address().port}/mcp\n`));
  return listen.call(this, 0, "127.0.0.1", ...rest);
};

const manifest = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/package.json");
await import(pathToFileURL(join(dirname(manifest), "dist/transports/streamableHttp.js")).href);
