import {
  answers,
  type Client,
  type ClientOptions,
  complete,
  connectClient,
  getPrompt,
  handshake,
  listen,
  listPrompts,
  listResources,
  listTools,
  onLog,
  readResource,
  setLogLevel,
} from "@parlance/client";
import { batches, type Dial, over } from "@parlance/jsonrpc";
import { handshakeVersions, type ProtocolVersion } from "@parlance/protocol-versions";
import { http as fetchHttp, sseTransport } from "@parlance/transport-http";
import { http as nodeHttp } from "@parlance/transport-http/node";
import { spawn } from "@parlance/transport-stdio";
import type { Driver, Open, Reading } from "./driver.js";
import { served } from "./served.js";

type Eras = ClientOptions["eras"];

/** Our client over stdio, or another way of reaching a program. Without eras it speaks what the server speaks. */
export type Parlance = (eras?: Eras) => Open;

export const overStdio: Parlance = (eras) => (program) => connect(over(spawn(program)), eras);
export const overFetch: Parlance = (eras) => served((url) => connect(fetchHttp(url), eras));
export const overNode: Parlance = (eras) => served((url) => connect(nodeHttp(url), eras));
/** The same, to servers that know nothing newer than HTTP+SSE. */
export const overOlder: Parlance = (eras) =>
  served((url) => connect(nodeHttp(url, { fallback: sseTransport() }), eras));

/** Our client, when a handshake with one revision is all that it knows. */
export function pinned(parlance: Parlance, version: ProtocolVersion): Open {
  return parlance([handshake({ versions: [version], batches })]);
}

/** Every revision of the handshake era, newest first. */
export const revisions: readonly ProtocolVersion[] = handshakeVersions.all;

async function connect(dial: Dial, eras: Eras): Promise<Driver> {
  return drive(
    await connectClient({
      ...{ dial, info: { name: "parlance", version: "1.0.0" }, eras },
      answers: answers({
        form: () => ({ action: "accept", content: { name: "Ada" } }),
        url: ({ url }) => (url === "https://example.com/consent" ? "accept" : "decline"),
        sample: () => ({ role: "assistant", content: { type: "text", text: "words of a model" }, model: "none" }),
        roots: [{ uri: "file:///projects/ada", name: "home" }],
      }),
    }),
  );
}

function drive(client: Client): Driver {
  const { era, version } = client.server;
  return {
    era,
    version,
    list: async () => (await listTools(client)).map(({ name }) => name),
    call: async (name, args, options) => {
      const { content, isError = false } = await client.callTool(name, args, options);
      return { text: content.map((block) => (block.type === "text" ? block.text : "")).join("\n"), isError };
    },
    isTimeout: (error) => error instanceof Error && "code" in error && error.code === "TIMEOUT",
    reading: read(client),
    answers: true,
    heard: async (uri, act) => {
      let hear = (): void => undefined;
      const heard = new Promise<void>((resolve) => {
        hear = resolve;
      });
      const { close } = await listen(client, { resourceSubscriptions: [uri] }, (event) => {
        if (event.type === "resource" && event.uri === uri) hear();
      });
      await act();
      await heard;
      await close();
    },
    close: client.close,
  };
}

function read(client: Client): Reading {
  return {
    resources: async () => (await listResources(client)).map(({ uri }) => uri),
    read: async (uri) => (await readResource(client, uri)).contents.map(({ text = "" }) => text).join("\n"),
    prompts: async () => (await listPrompts(client)).map(({ name }) => name),
    prompt: async (name, args) => {
      const { messages } = await getPrompt(client, name, args);
      return messages.map(({ content }) => (content.type === "text" ? content.text : "")).join("\n");
    },
    complete: async (name, argument, typed) =>
      (await complete(client, { type: "ref/prompt", name }, argument, typed)).values,
    logged: async (tool, args) => {
      const levels: string[] = [];
      const end = onLog(client, ({ level }) => levels.push(level));
      await setLogLevel(client, "debug");
      await client.callTool(tool, args);
      end();
      return levels;
    },
  };
}
