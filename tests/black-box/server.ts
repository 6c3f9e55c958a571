// The server of the black-box programs: `node server.js stdio`. Everything is at its default.
import { connect } from "@parlance/jsonrpc";
import { handshake, stateless } from "@parlance/server";
import { stdio } from "@parlance/transport-stdio";
import { createBox } from "./box.js";
import { readEras } from "./era.js";

const [transport] = process.argv.slice(2);
if (transport !== "stdio") {
  process.stderr.write(`transport "${transport ?? ""}" is not built yet; use: server.js stdio\n`);
  process.exit(1);
}

await connect(stdio(), createBox(readEras({ stateless, handshake })));
