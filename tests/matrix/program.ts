// The server of the matrix as a program, for the columns that start one. It is bundled and run as a child.
import { connect } from "@parlance/jsonrpc";
import { stdio } from "@parlance/transport-stdio";
import { createMatrixServer } from "./server.js";

const peer = await connect(
  stdio(),
  createMatrixServer(() => void peer.close()),
);
