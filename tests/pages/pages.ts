import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer, questions, type Server } from "@parlance/server";
import { tool, tools } from "@parlance/tool-registry";

/** A page that somebody was sent to. */
interface Page {
  readonly owner: string | undefined;
  readonly done: Promise<void>;
  finish(): void;
}

/** A server with pages of its own: whoever opens one has to be the one who was sent there. */
export interface PageServer {
  readonly server: Server;
  /** Lets a browser in. @returns its cookie */
  signIn(user: string): string;
  close(): Promise<void>;
}

/** Its pages are on a port of loopback, and know users by the cookies of their browsers. */
export async function openPages(): Promise<PageServer> {
  const pages = new Map<string, Page>();
  const browsers = new Map<string, string>();
  const web = createHttpServer((request, response) => {
    const page = pages.get(new URL(request.url ?? "", "http://localhost").searchParams.get("id") ?? "");
    const user = browsers.get(cookieOf(request));
    if (page === undefined || user === undefined || page.owner !== user) {
      response.writeHead(403).end("This page is for somebody else");
      return;
    }
    page.finish();
    response.end("Connected");
  });
  await once(web.listen(0, "127.0.0.1"), "listening");
  const { port } = web.address() as AddressInfo;

  function send(owner: string | undefined): string {
    const id = randomUUID();
    let finish = (): void => {};
    const done = new Promise<void>((resolve) => {
      finish = resolve;
    });
    pages.set(id, { owner, done, finish });
    return id;
  }

  const connect = tool({
    name: "connect",
    description: "Connects the user's calendar",
    run: async (_, call) => {
      const id = await call.once("page", () => send(call.principal?.id));
      const { action } = await call.elicit("connect", "Connect your calendar", {
        url: `http://127.0.0.1:${port}/connect?id=${id}`,
        done: async () => pages.get(id)?.done,
      });
      return action === "accept" ? "connected" : "not connected";
    },
  });
  return {
    server: createServer({ info: { name: "calendar", version: "1.0.0" }, features: [tools([connect]), questions()] }),
    signIn: (user) => {
      const session = randomUUID();
      browsers.set(session, user);
      return `session=${session}`;
    },
    close: async () => {
      web.closeAllConnections();
      await once(web.close(), "close");
    },
  };
}

function cookieOf({ headers }: IncomingMessage): string {
  return /session=([^;]+)/.exec(headers.cookie ?? "")?.[1] ?? "";
}
