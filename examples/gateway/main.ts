// A gateway between the eras: a server that shakes hands is seen statelessly, and one without sessions in a session. What
// either asks while it works reaches whoever calls.
import { answers, type ClientOptions, connectClient, handshake, listTools, stateless } from "@parlance/client";
import { passQuestions, proxyFeatures } from "@parlance/client/proxy";
import {
  createServer,
  type FeatureSet,
  handshake as inSessions,
  questions,
  type ServerEra,
  stateless as withoutSessions,
} from "@parlance/server";
import { combine, mount } from "@parlance/server/compose";
import { tool, tools } from "@parlance/tool-registry";
import { anonymous, createHttpHandler } from "@parlance/transport-http";
import { http, listen } from "@parlance/transport-http/node";

const greet = tool({
  name: "greet",
  description: "Greets whoever calls",
  run: async (_, call) => {
    const { content } = await call.elicit("who", "Who are you?", { name: { type: "string" } });
    return `Hello ${content?.name}, in revision ${call.version}`;
  },
});

const ends: (() => Promise<unknown>)[] = [];

async function serve(name: string, features: FeatureSet, eras?: readonly ServerEra[]): Promise<string> {
  const server = createServer({ info: { name, version: "1.0.0" }, features: [questions(), features], eras });
  const { url, close } = await listen(createHttpHandler(server, { auth: anonymous() }));
  ends.unshift(server.close, close);
  return url;
}

async function connect(url: string, options: Pick<ClientOptions, "answers" | "eras">) {
  const client = await connectClient({ dial: http(url), info: { name: "gateway", version: "1.0.0" }, ...options });
  ends.unshift(client.close);
  return client;
}

/** Puts what somebody else's server has under a prefix. */
async function gather(prefix: string, url: string): Promise<FeatureSet> {
  return mount(prefix, proxyFeatures(await connect(url, { answers: passQuestions() })));
}

const old = await gather("old_", await serve("old", tools([greet]), [inSessions()]));
const young = await gather("young_", await serve("young", tools([greet]), [withoutSessions()]));
const gateway = await serve("gateway", combine(old, young));

const ada = answers({ form: () => ({ action: "accept", content: { name: "Ada" } }) });
for (const era of [stateless(), handshake()]) {
  const client = await connect(gateway, { answers: ada, eras: [era] });
  for (const { name } of await listTools(client)) {
    const said = JSON.stringify((await client.callTool(name)).content);
    console.log(`${era.name} caller, ${name}: ${said}`);
    if (!said.includes("Hello Ada")) throw new Error("the answer was lost on the way");
  }
}
for (const end of ends) await end();
