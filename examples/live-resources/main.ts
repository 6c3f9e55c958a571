// A thermometer that is only read while somebody listens, and a client that hears of each change, in both eras.
import { connectClient, handshake, listen, readResource, stateless } from "@parlance/client";
import { memoryPair, over, serve } from "@parlance/jsonrpc";
import { createResources, createServer } from "@parlance/server";

const uri = "thermometer://kitchen";
const everyMs = 20;
let degrees = 20;

const kitchen = { uri, name: "kitchen", mimeType: "text/plain", read: () => `${degrees} °C` };
const thermometer = createResources([kitchen], {
  watch: (_, changed) => {
    console.log("  somebody listens: the thermometer is on");
    const timer = setInterval(() => {
      degrees += 1;
      changed();
    }, everyMs);
    return () => {
      clearInterval(timer);
      console.log("  nobody listens: the thermometer is off");
    };
  },
});
const server = createServer({ info: { name: "kitchen", version: "1.0.0" }, features: [thermometer] });

for (const era of [stateless(), handshake()]) {
  const [near, far] = memoryPair();
  await serve(far, server);
  const client = await connectClient({ dial: over(near), info: { name: "cook", version: "1.0.0" }, eras: [era] });
  console.log(`${client.server.version} (${era.name})`);

  await new Promise<void>((resolve) => {
    const goal = degrees + 3;
    void listen(client, { resourceSubscriptions: [uri] }, async () => {
      const [read] = (await readResource(client, uri)).contents;
      console.log(`  ${read !== undefined && "text" in read ? read.text : "?"}`);
      if (degrees >= goal) resolve();
    });
  });
  await client.close();
}
await server.close();
