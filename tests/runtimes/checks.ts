import { type Client, connectClient, handshake, stateless } from "@parlance/client";
import { type Fetch, type HttpHandler, http } from "@parlance/transport-http";
import { type Counts, wait } from "./server.js";

/** What came of one check; without a reason it passed. */
export interface Checked {
  readonly check: string;
  readonly failed?: string;
}

/** How long a server may take to notice that a call was given up. */
const noticeMs = 5_000;
const awkward = `é漢字👩‍👩‍👧 "\u2028\\ ${"x".repeat(100_000)}`;
const eras = { stateless: () => [stateless()], handshake: () => [handshake()] };

type Check = (client: Client) => Promise<void>;

const checks: Readonly<Record<string, Check>> = {
  list: async (client) => {
    const names = (await client.listTools()).map(({ name }) => name);
    equal(names, ["counts", "echo", "progress", "slow"]);
  },
  "JSON answer": async (client) => equal(await text(client, "echo", { text: awkward }), awkward),
  "20 at once": async (client) => {
    const calls = Array.from({ length: 20 }, (_, n) => text(client, "echo", { text: `call ${n}` }));
    equal(
      await Promise.all(calls),
      calls.map((_, n) => `call ${n}`),
    );
  },
  "bad arguments": async (client) => {
    const { isError } = await client.callTool("echo", { text: 5 });
    equal(isError, true);
    equal(await text(client, "echo", { text: "still there" }), "still there");
  },
  "unknown tool": async (client) => {
    const refused = await client.callTool("no-such-tool").then(
      () => "answered",
      (error: { code: unknown }) => error.code,
    );
    equal(refused, -32602);
  },
  "stream of events": async (client) => {
    const heard: unknown[] = [];
    const { content } = await client.callTool("progress", {}, { onProgress: (done) => heard.push(done) });
    heard.push(content[0]?.type === "text" && content[0].text);
    equal(heard, [1, 2, 3, "done"]);
  },
  "hang-up": async (client) => {
    const before = await hungUp(client);
    const caller = new AbortController();
    const reason = new Error("not wanted any more");
    // its first report is the sign that it runs
    const options = { signal: caller.signal, onProgress: () => caller.abort(reason) };
    const outcome = await client.callTool("slow", {}, options).catch((error: unknown) => error);
    if (outcome !== reason) throw new Error(`it ended with ${outcome}`);
    const lastMs = Date.now() + noticeMs;
    while ((await hungUp(client)) === before) {
      if (Date.now() > lastMs) throw new Error("the tool runs on");
      await wait(20);
    }
  },
};

/**
 * Every check in both eras: in this process without a port, and over `url`.
 * @param without checks that cannot pass here, such as "handshake: hang-up"
 */
export async function runChecks(
  handler: HttpHandler,
  url: string,
  without: readonly string[] = [],
): Promise<readonly Checked[]> {
  const ways: Readonly<Record<string, Fetch | undefined>> = {
    "in process": (at, init) => handler.fetch(new Request(at, init)),
    "over a port": undefined,
  };
  const outcomes: Checked[] = [];
  for (const [way, fetch] of Object.entries(ways)) {
    for (const [era, create] of Object.entries(eras)) {
      const where = `${way}, ${era}`;
      const connecting = connectClient({
        dial: http(url, { fetch }),
        info: { name: "anywhere", version: "1.0.0" },
        eras: create(),
      });
      const client = await connecting.catch((error: unknown) =>
        outcomes.push({ check: `${where}: connect`, failed: String(error) }),
      );
      if (typeof client === "number") continue;
      for (const [name, check] of Object.entries(checks)) {
        const title = `${where}: ${name}`;
        if (!without.includes(`${era}: ${name}`)) outcomes.push(await attempt(title, () => check(client)));
      }
      outcomes.push(await attempt(`${where}: close`, () => client.close()));
    }
  }
  return outcomes;
}

async function attempt(check: string, act: () => Promise<void>): Promise<Checked> {
  try {
    await act();
    return { check };
  } catch (error) {
    return { check, failed: error instanceof Error ? error.message : String(error) };
  }
}

async function text(
  client: Client,
  tool: string,
  args: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const { content } = await client.callTool(tool, args);
  return content[0]?.type === "text" ? content[0].text : undefined;
}

async function hungUp(client: Client): Promise<number> {
  const counts: Counts = JSON.parse((await text(client, "counts", {})) ?? "");
  return counts.hungUp;
}

function equal(got: unknown, expected: unknown): void {
  const [left, right] = [JSON.stringify(got), JSON.stringify(expected)];
  if (left !== right) throw new Error(`${left?.slice(0, 200)} instead of ${right.slice(0, 200)}`);
}
