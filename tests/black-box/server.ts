// The server of the black-box programs: `node server.js stdio`, or `node server.js http PORT`. Everything is at its default.
import { connect } from "@parlance/jsonrpc";
import { handshake, stateless } from "@parlance/server";
import { anonymous, createHttpHandler } from "@parlance/transport-http";
import { serve } from "@parlance/transport-http/node";
import { stdio } from "@parlance/transport-stdio";
import { createBox } from "./box.js";
import { readEras } from "./era.js";

const [transport = "", port = ""] = process.argv.slice(2);
const server = createBox(readEras({ stateless, handshake }));

if (transport === "stdio") {
  await connect(stdio(), server);
} else if (transport === "http" && /^\d+$/.test(port)) {
  const listening = await serve(createHttpHandler(server, { auth: anonymous() }), { server, port: Number(port) });
  process.stdin.resume().once("end", () => void listening.close()); // never rejects
  process.stderr.write(`${listening.url}\n`);
} else {
  process.stderr.write(`"${transport} ${port}" is none of: stdio, http PORT\n`);
  process.exit(1);
}
