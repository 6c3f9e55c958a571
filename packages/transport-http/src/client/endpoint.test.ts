import { once } from "node:events";
import { Agent } from "node:http";
import type { Socket } from "node:net";
import { type Client, type ClientOptions, connectClient, stateless } from "@parlance/client";
import type { LocalError } from "@parlance/jsonrpc";
import { describe, expect, test, vi } from "vitest";
import { type HttpOptions, http } from "../dial.js";
import { http as nodeHttp } from "../node/client.js";
import { type AuthChallenge, bearerToken } from "./auth.js";
import {
  discovered,
  json,
  listening,
  openEvents,
  result,
  type Script,
  type Scripted,
  type Seen,
  scripted,
} from "./scripted.fixture.js";

const info = { name: "test", version: "1" };
const serve: Script = (seen) =>
  result(seen, seen.message.method === "server/discover" ? discovered : { resultType: "complete", content: [] });

function connectTo(server: Scripted, more: HttpOptions = {}, options: Partial<ClientOptions> = {}): Promise<Client> {
  return connectClient({
    dial: http(server.url, { fetch: server.fetch, ...more }),
    info,
    eras: [stateless()],
    ...options,
  });
}

const dials = [
  ["fetch", http],
  ["node:http", nodeHttp],
] as const;

describe("HTTP-M-56, BUG-47: redirects", () => {
  test.each(dials)(
    "of 307 and 308 within the origin are followed with method, body and headers, by %s",
    async (_, dial) => {
      for (const status of [307, 308]) {
        const server = await listening((seen) =>
          seen.url === "/mcp" ? new Response(null, { status, headers: { location: "/mcp/" } }) : serve(seen),
        );
        const auth = bearerToken("t");
        const client = await connectClient({ dial: dial(server.url, { auth }), info, eras: [stateless()] });
        await client.callTool("x");
        const [first, second] = server.seen.slice(-2) as [Seen, Seen];
        expect([first.url, second.url]).toEqual(["/mcp", "/mcp/"]);
        expect(second.message).toEqual(first.message);
        expect(second.headers["authorization"]).toBe("Bearer t");
        await client.close();
      }
    },
  );

  test.each(dials)("to another origin are refused, and nothing is sent there, by %s", async (_, dial) => {
    const other = await listening(serve);
    const server = await listening(() => new Response(null, { status: 307, headers: { location: other.url } }));
    const auth = bearerToken("secret");
    const failure: unknown = await connectClient({ dial: dial(server.url, { auth }), info }).catch((reason) => reason);
    expect(failure).toMatchObject({ code: "UNREACHABLE" });
    expect((failure as LocalError).message).toContain(`is redirected to ${other.url}; only`);
    expect(other.seen).toEqual([]);
    expect(server.methods).toEqual(["server/discover"]);
  });

  test.each([301, 302, 303])("of HTTP %i, which lose the message, are refused", async (status) => {
    const server = scripted(() => new Response(null, { status, headers: { location: "/other" } }));
    await expect(connectTo(server)).rejects.toMatchObject({ code: "UNREACHABLE" });
    expect(server.seen).toHaveLength(1);
  });

  test("to http from https are refused", async () => {
    const location = "http://server.test/mcp/";
    const server = scripted(
      () => new Response(null, { status: 308, headers: { location } }),
      "https://server.test/mcp",
    );
    await expect(connectTo(server, { auth: bearerToken("t") })).rejects.toMatchObject({ code: "UNREACHABLE" });
    expect(server.seen).toHaveLength(1);
  });

  test("without end are an error", async () => {
    const server = scripted(() => new Response(null, { status: 307, headers: { location: "/mcp" } }));
    await expect(connectTo(server)).rejects.toThrow("still redirected after 5 times");
    expect(server.seen).toHaveLength(6);
  });

  test("that a platform hides are an error that says so", async () => {
    const hidden = new Response();
    Object.defineProperty(hidden, "status", { value: 0 });
    await expect(connectTo(scripted(() => hidden))).rejects.toThrow("where this platform does not say");
  });
});

test("BUG-47: the URL is used as it is, with its slash and its query", async () => {
  for (const url of ["http://server.test/mcp/", "http://server.test/mcp?key=1", "http://server.test/"]) {
    const server = scripted(serve, url);
    await connectTo(server);
    expect(server.seen[0]?.url).toBe(url);
  }
});

test.each(["server.test/mcp", "/mcp", "ftp://server.test/", "http://me:secret@server.test/mcp", ""])(
  "the URL %j is refused",
  (url) => {
    expect(() => http(url)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  },
);

test("headers of the caller go with every request, and replace none of the protocol's", async () => {
  const server = scripted(serve);
  await connectTo(server, { headers: { "x-team": "blue", accept: "text/html", "mcp-method": "x" } });
  expect(server.seen[0]?.headers).toMatchObject({
    "x-team": "blue",
    accept: "application/json, text/event-stream",
    "mcp-method": "server/discover",
  });
});

test("headers that cannot be sent are refused, without a word of what they hold", async () => {
  const server = scripted(serve);
  for (const value of ["a\r\nx: y", "sécret"]) {
    const failure = await connectTo(server, { headers: { "x-key": value } }).catch((reason: unknown) => reason);
    const other = await connectTo(server, { auth: bearerToken(value) }).catch((reason: unknown) => reason);
    for (const refused of [failure, other]) {
      expect(refused).toMatchObject({ code: "INVALID_ARGUMENT" });
      expect(String(refused)).not.toContain(value);
    }
  }
  expect(server.seen).toEqual([]);
});

describe("credentials", () => {
  const guarded =
    (good: string): Script =>
    (seen) =>
      seen.headers["authorization"] === `Bearer ${good}`
        ? serve(seen)
        : new Response("Who?", { status: 401, headers: { "www-authenticate": "Bearer" } });

  test("are a token that is always the same", async () => {
    const server = scripted(guarded("t"));
    await connectTo(server, { auth: bearerToken("t") });
    const other = scripted(guarded("other"));
    await expect(connectTo(other, { auth: bearerToken("t") })).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    expect(other.seen).toHaveLength(1);
  });

  test("or one that is computed for each request, and tried again only when it has changed", async () => {
    const tokens = ["old", "new", "new"];
    const server = scripted(guarded("new"));
    await connectTo(server, { auth: bearerToken(async () => tokens.shift() ?? "new") });
    expect(server.seen.map(({ headers }) => headers["authorization"])).toEqual(["Bearer old", "Bearer new"]);
    const other = scripted(guarded("never"));
    await expect(connectTo(other, { auth: bearerToken(() => "t") })).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    expect(other.seen).toHaveLength(1);
  });

  test("are asked for again by 401, and by 403 that says what would be enough; twice at most", async () => {
    const challenges: AuthChallenge[] = [];
    const auth = {
      headers: () => ({ authorization: `Bearer ${challenges.length}` }),
      onChallenge: async (challenge: AuthChallenge) => {
        challenges.push(challenge);
        return "retry" as const;
      },
    };
    const stepUp = 'Bearer error="insufficient_scope", scope="b"';
    const server = scripted((seen) => {
      if (seen.headers["authorization"] === "Bearer 0") return new Response(null, { status: 401 });
      if (seen.headers["authorization"] === "Bearer 2") return serve(seen);
      return new Response(null, { status: 403, headers: { "www-authenticate": stepUp } });
    });
    await connectTo(server, { auth });
    expect(challenges.map(({ status, sent }) => [status, sent["authorization"]])).toEqual([
      [401, "Bearer 0"],
      [403, "Bearer 1"],
    ]);
    expect(challenges[1]?.header("WWW-Authenticate")).toBe(stepUp);
    expect(challenges[1]?.request).toEqual({ method: "POST", url: server.url });
    const never = scripted(() => new Response(null, { status: 401 }));
    await expect(connectTo(never, { auth })).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    expect(never.seen).toHaveLength(3);
  });

  test.each(dials)("are asked for by a reply of any length, by %s", async (_, dial) => {
    const login = "x".repeat(200_000);
    const server = await listening((seen) =>
      seen.headers["authorization"] === "Bearer 1" ? serve(seen) : new Response(login, { status: 401 }),
    );
    let count = 0;
    const auth = {
      headers: () => ({ authorization: `Bearer ${count}` }),
      onChallenge: async () => {
        count++;
        return "retry" as const;
      },
    };
    const client = await connectClient({ dial: dial(server.url, { auth }), info, eras: [stateless()] });
    expect(count).toBe(1);
    await client.close();
  });

  test("are asked for by a reply whose connection ends meanwhile", async () => {
    const sockets: Socket[] = [];
    const agent = new Agent();
    const server = await listening((seen) => {
      if (seen.headers["authorization"] === "Bearer new") return serve(seen);
      const start = (body: ReadableStreamDefaultController): void => body.enqueue(new TextEncoder().encode("x"));
      return new Response(new ReadableStream({ start }), { status: 401 });
    });
    let token = "old";
    const auth = {
      headers: () => ({ authorization: `Bearer ${token}` }),
      onChallenge: async () => {
        sockets.push(...Object.values(agent.sockets).flatMap((some) => some ?? []));
        const closed = sockets.map((socket) => once(socket, "close"));
        for (const socket of sockets) socket.destroy();
        await Promise.all(closed);
        token = "new";
        return "retry" as const;
      },
    };
    const client = await connectClient({ dial: nodeHttp(server.url, { auth, agent }), info, eras: [stateless()] });
    expect(sockets).toHaveLength(1);
    await client.close();
    agent.destroy();
  });

  test.each([
    [406, {}],
    [403, {}],
    [400, { "www-authenticate": "Bearer" }],
    [404, {}],
  ])("BUG-46: are not asked for by HTTP %i with %j", async (status, headers) => {
    const onChallenge = vi.fn(async () => "fail" as const);
    const server = scripted(() => new Response(null, { status, headers: headers as Record<string, string> }));
    await connectTo(server, { auth: { headers: () => ({}), onChallenge } }).catch(() => {});
    expect(onChallenge).not.toHaveBeenCalled();
  });

  test("every answer is shown to whoever gives them", async () => {
    const onResponse = vi.fn();
    await connectTo(
      scripted((seen) => result(seen, discovered, { "dpop-nonce": "n" })),
      {
        auth: { headers: () => ({}), onResponse, onChallenge: async () => "fail" },
      },
    );
    expect(onResponse.mock.calls[0]?.[0].header("DPoP-Nonce")).toBe("n");
  });

  test("part what is remembered", async () => {
    const dial = http("http://server.test/mcp?key=secret", { auth: { ...bearerToken("t"), partition: "me" } });
    const peer = await dial({ request: () => ({}) });
    expect([peer.carrier, peer.authority, peer.partition]).toEqual(["http", "http://server.test/mcp", "me"]);
  });
});

describe("BUG-124: every body is read or cut", () => {
  test.each(dials)("so that connections are used again, by %s", async (_, dial) => {
    const statuses = [200, 202, 401, 404, 500];
    let count = 0;
    const server = await listening((seen) => {
      if (seen.message.method === "server/discover") return result(seen, discovered);
      const status = statuses[count++ % statuses.length] ?? 200;
      return status === 202 ? new Response(null, { status }) : json({ filler: "x".repeat(500) }, status);
    });
    const client = await connectClient({ dial: dial(server.url), info, eras: [stateless()] });
    for (let call = 0; call < 100; call++) await client.callTool("x").catch(() => {});
    expect(server.seen).toHaveLength(101);
    expect(server.sockets).toBeLessThanOrEqual(3);
    await client.close();
  });

  test.each(dials)(
    "and a stream that ends with its answer leaves its connection for the next, by %s",
    async (_, dial) => {
      const server = await listening((seen) => {
        if (seen.message.method === "server/discover") return result(seen, discovered);
        const message = { jsonrpc: "2.0", id: seen.message.id, result: { resultType: "complete", content: [] } };
        const stream = openEvents(`data: ${JSON.stringify(message)}\n\n`);
        stream.end();
        return stream.response;
      });
      const client = await connectClient({ dial: dial(server.url), info, eras: [stateless()] });
      for (let call = 0; call < 20; call++) {
        await client.callTool("x");
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(server.sockets).toBeLessThanOrEqual(5);
      await client.close();
    },
  );
});

test("BUG-122, BUG-125: a signal that many calls share is listened to by those that wait, and by no other", async () => {
  const server = scripted(serve);
  const client = await connectTo(server);
  const { signal } = new AbortController();
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners++;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners--;
    remove(...args);
  };
  for (let call = 0; call < 1_000; call++) await client.callTool("x", {}, { signal });
  expect(listeners).toBe(0);
  const gone = AbortSignal.abort(new Error("enough"));
  for (let call = 0; call < 100; call++) await client.callTool("x", {}, { signal: gone }).catch(() => {});
  expect(server.seen).toHaveLength(1_001);
});
