// What a server that is measured over HTTP does for the bench.

/** Says its port, and announces that its tools changed as often as it is told, in one turn. */
export function serveBench(port, announce) {
  process.on("message", (message) => {
    if (message.announce === undefined) return;
    for (let n = 0; n < message.announce; n++) announce();
    process.send("announced");
  });
  process.send({ port });
}
