// A child process that hands its stdin and stdout on to a port: what a transport says to it can be read there.
// As a server does, it ends with its stdin.
import { connect } from "node:net";

const socket = connect({ port: Number(process.argv[2]), host: "127.0.0.1", allowHalfOpen: true });
process.stdin.pipe(socket);
socket.pipe(process.stdout);
socket.once("finish", () => process.exit(0));
socket.once("end", () => process.stdout.write("", () => process.exit(0)));
