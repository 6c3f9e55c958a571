import { answers, type Client, connectClient, handshake, stateless } from "@parlance/client";
import { derive, type Handler } from "@parlance/jsonrpc";
import { connectInMemory, type RecordedFrame } from "@parlance/testing";
import { bearerToken, createHttpHandler, staticTokens } from "@parlance/transport-http";
import { http, listen } from "@parlance/transport-http/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPages, type PageServer } from "./pages.js";

let pages: PageServer;
let url: string;
let close: () => Promise<void>;

beforeAll(async () => {
  pages = await openPages();
  const principals = { "ada-token": { id: "ada", scopes: [] }, "bob-token": { id: "bob", scopes: [] } };
  const listening = await listen(createHttpHandler(pages.server, { auth: staticTokens(principals) }));
  url = listening.url;
  close = listening.close;
});

afterAll(async () => {
  await close();
  await pages.close();
  await pages.server.close();
});

interface Scene {
  readonly client: Client;
  readonly statuses: readonly number[];
}

/** A client of a user's, whose pages are opened in these browsers, one after the other. */
async function userOf(name: string, era: "stateless" | "handshake", browsers: readonly string[]): Promise<Scene> {
  const statuses: number[] = [];
  const client = await connectClient({
    dial: http(url, { auth: bearerToken(`${name}-token`) }),
    info: { name, version: "1.0.0" },
    eras: [era === "stateless" ? stateless() : handshake()],
    answers: answers({
      url: async (page): Promise<"accept"> => {
        for (const cookie of browsers) {
          const { status } = await fetch(page.url, { headers: { cookie } });
          statuses.push(status);
        }
        return "accept";
      },
    }),
  });
  return { client, statuses };
}

describe.each(["stateless", "handshake"] as const)("%s", (era) => {
  test("ELI-38: a page opens for the user who was sent there, and in no other browser", async () => {
    const [stranger, bob, ada] = ["", pages.signIn("bob"), pages.signIn("ada")];
    const { client, statuses } = await userOf("ada", era, [stranger, bob, ada]);
    expect((await client.callTool("connect")).content).toEqual([{ type: "text", text: "connected" }]);
    expect(statuses).toEqual([403, 403, 200]);
    await client.close();
  });

  test("ELI-24: nobody else is told that a page is done", async () => {
    const frames: RecordedFrame[] = [];
    const other = await connectInMemory(as("bob"), { era, frames });
    const { client } = await userOf("ada", era, [pages.signIn("ada")]);
    await client.callTool("connect");
    // on a pipe, whatever was said before has come before this is answered
    await other.ping();
    expect(frames.filter(({ text }) => text.includes("elicitation"))).toEqual([]);
    await Promise.all([client.close(), other.close()]);
  });
});

/** The server as it is for this user, on a pipe. */
function as(id: string): Handler {
  const { server } = pages;
  const principal = { id, scopes: [] };
  return { ...server, request: (message, exchange) => server.request(message, derive(exchange, { principal })) };
}
