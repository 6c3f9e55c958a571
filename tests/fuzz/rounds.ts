import { type Client, connectClient, handshake, stateless } from "@parlance/client";
import { batches, connect, memoryPair, over } from "@parlance/jsonrpc";
import type { Server } from "@parlance/server";
import type { Conversation } from "./corpus.js";
import { type Count, countSent } from "./count.js";
import { createLine, type Line, line } from "./line.js";
import { mutate } from "./mutate.js";
import type { Random } from "./random.js";

/** What a round needs. */
export interface Round {
  readonly server: Server;
  readonly corpus: readonly Conversation[];
  readonly random: Random;
  readonly count: Count;
  /** How many mutated messages one connection gets. */
  readonly messages: number;
}

const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const question = { jsonrpc: "2.0", id: "are you there", method: "tools/list", params: { _meta: envelope } };

/** One connection to the server: mutated messages of clients, then a question that it must answer. */
export async function fuzzServer(round: Round): Promise<void> {
  const { server, corpus, random, count } = round;
  let answered: () => void = () => {};
  const answer = new Promise<void>((resolve) => {
    answered = resolve;
  });
  const wire = createLine((text) => {
    countSent(text, count);
    if (text.startsWith('{"jsonrpc":"2.0","id":"are you there"')) answered();
  });
  const peer = await connect(wire.transport, server, { report: () => void count.reports++ });
  const { toServer } = random.pick(corpus);
  // most sessions begin as they should, so that what follows is looked at in every state
  for (const text of toServer.slice(0, random.below(4))) wire.feed(line(text));
  await feedMutants(wire, toServer, round);
  wire.feed(line(JSON.stringify(question)));
  await answer;
  await peer.close();
}

/** One connection of a client: mutated messages of servers among the true ones, then a call that must still work. */
export async function fuzzClient(round: Round): Promise<void> {
  const { server, corpus, random, count } = round;
  const { version, toClient } = random.pick(corpus);
  let wire: Line | undefined;
  const client = await connectClient({
    dial: async (handler) => {
      const [near, far] = memoryPair();
      await connect(far, server);
      wire = createLine(() => {}, near);
      return over(wire.transport, { report: () => void count.reports++ })(handler);
    },
    info: { name: "fuzzed", version: "1.0.0" },
    eras: [version === "2026-07-28" ? stateless() : handshake({ versions: [version], batches })],
    report: () => void count.reports++,
  });
  const calls: Promise<unknown>[] = [];
  await feedMutants({ feed: (bytes) => wire?.feed(bytes) }, toClient, round, () => {
    if (random.oneIn(4)) calls.push(client.callTool("later", { text: "x" }).catch(() => undefined));
  });
  await Promise.all(calls);
  await stillWorks(client);
  await client.close();
}

async function stillWorks(client: Client): Promise<void> {
  const { content } = await client.callTool("echo", { text: "still here" });
  const [block] = content;
  if (block?.type !== "text" || block.text !== "still here")
    throw new Error(`a wrong answer: ${JSON.stringify(content)}`);
}

async function feedMutants(
  wire: Pick<Line, "feed">,
  texts: readonly string[],
  { corpus, random, count, messages }: Round,
  before: () => void = () => {},
): Promise<void> {
  for (let n = 0; n < messages; n++) {
    before();
    const { toServer, toClient } = random.pick(corpus);
    // some are from the wrong side, or from another revision
    const text = random.oneIn(10) ? random.pick(random.oneIn(2) ? toClient : toServer) : random.pick(texts);
    wire.feed(line(mutate(text, random.pick(toServer), random)));
    count.messages++;
    if (random.oneIn(8)) await Promise.resolve();
    if (random.oneIn(64)) await turn();
  }
}

/** Lets the event loop go round, as it does between two reads of a pipe. */
function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
