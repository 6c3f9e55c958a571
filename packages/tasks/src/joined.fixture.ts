import { type Client, type ClientOptions, connectClient, extensions } from "@parlance/client";
import { answer, connect, type JsonObject, memoryPair, over, type Principal } from "@parlance/jsonrpc";
import { createServer, type FeatureSet, questions, type Server, type ServerOptions } from "@parlance/server";
import { type AnyTool, createToolRegistry } from "@parlance/tool-registry";
import { onTestFinished } from "vitest";
import { tasks } from "./client.js";
import { createTasks, type TasksOptions } from "./server.js";

// What the tests of both sides are made of; no part of the package.

export const id = "io.modelcontextprotocol/tasks";
export const info = { name: "test", version: "1.0.0" };

export function serving(
  tools: readonly AnyTool[],
  { tasks: options, ...rest }: Partial<ServerOptions> & { tasks?: TasksOptions } = {},
): Server {
  const features: readonly FeatureSet[] = [createToolRegistry(tools), questions(), createTasks(options)];
  const server = createServer({ info, features, drainMs: 0, ...rest });
  onTestFinished(() => server.close());
  return server;
}

/** A client joined to a server in memory; every one is a connection of its own. */
export async function joined(server: Server, options: Partial<ClientOptions> = {}): Promise<Client> {
  const [near, far] = memoryPair();
  await connect(far, server);
  const client = await connectClient({ dial: over(near), info, extensions: extensions(tasks()), ...options });
  onTestFinished(() => client.close());
  return client;
}

export interface Reply {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface Asked {
  readonly capabilities?: JsonObject | undefined;
  readonly principal?: Principal | undefined;
  readonly header?: ((name: string) => string | undefined) | undefined;
}

/** One request of a client that takes tasks, and its reply as it is on the wire. */
export async function ask(server: Server, method: string, params: JsonObject = {}, asked: Asked = {}): Promise<Reply> {
  const { capabilities = { extensions: { [id]: {} }, elicitation: {} }, principal, header } = asked;
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  const text = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } });
  return JSON.parse((await answer(server, text, { principal, header })) ?? "null");
}

/** Calls a tool that becomes a task, and gives its id. */
export async function start(server: Server, name: string, args: JsonObject = {}, asked?: Asked): Promise<string> {
  const { result } = await ask(server, "tools/call", { name, arguments: args }, asked);
  return result.taskId;
}

/** Something that is waited for, and given by the test. */
export interface Gate<T> {
  readonly open: Promise<T>;
  give(value: T): void;
  fail(error: unknown): void;
}

export function gate<T = void>(): Gate<T> {
  let give: Gate<T>["give"] = () => {};
  let fail: Gate<T>["fail"] = () => {};
  const open = new Promise<T>((resolve, reject) => {
    give = resolve;
    fail = reject;
  });
  return { open, give, fail };
}

/** What the calls so far have set off is done: nothing here waits for more than promises. */
export async function settled(): Promise<void> {
  for (let turns = 0; turns < 50; turns += 1) await Promise.resolve();
}
