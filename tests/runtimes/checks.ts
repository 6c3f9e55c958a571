import { type Client, connectClient, handshake, listTools, stateless } from "@parlance/client";
import { type Fetch, type HttpAuth, type HttpHandler, http, sseTransport, toFetch } from "@parlance/transport-http";
import { type Counts, wait } from "./server.js";

/** What came of one check; without a reason it passed. */
export interface Checked {
  readonly check: string;
  readonly failed?: string;
}

/** How long a server may take to notice that a call was given up. */
const noticeMs = 5_000;
const awkward = `é漢字👩‍👩‍👧 "\u2028\\ ${"x".repeat(100_000)}`;
/** Ways of speaking, by the name they go by in the outcomes. */
const speeches = {
  stateless: { era: "stateless", eras: () => [stateless()], through: (fetch: Fetch) => fetch },
  handshake: { era: "handshake", eras: () => [handshake()], through: (fetch: Fetch) => fetch },
  "HTTP+SSE": { era: "handshake", eras: () => [handshake()], through: asOlder },
} as const;
type Speech = (typeof speeches)[keyof typeof speeches];

type Check = (client: Client) => Promise<void>;

const checks: Readonly<Record<string, Check>> = {
  list: async (client) => {
    const names = (await listTools(client)).map(({ name }) => name);
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

/** Calls a server in this process without a port. */
export function inProcess(handler: HttpHandler): Fetch {
  const answer = toFetch(handler);
  return (url, init) => answer(new Request(url, init));
}

/** What a server that knows nothing newer than HTTP+SSE answers to a POST that opens a session. */
function asOlder(fetch: Fetch): Fetch {
  return async (url, init) =>
    init.method === "POST" && !url.includes("sse-session=") ? new Response(null, { status: 405 }) : fetch(url, init);
}

/** How the checks are run. */
export interface CheckOptions {
  /** What sends, by the name it goes by in the outcomes; without a function the platform's own `fetch`. */
  readonly ways: Readonly<Record<string, Fetch | undefined>>;
  readonly auth?: HttpAuth | undefined;
  /** Checks that cannot pass here, such as "handshake: hang-up", or all of a way of speaking: "HTTP+SSE". */
  readonly without?: readonly string[] | undefined;
}

/** Every check against the server at `url`, in every way of speaking. */
export async function runChecks(url: string, options: CheckOptions): Promise<readonly Checked[]> {
  const outcomes: Checked[] = [];
  for (const [way, fetch] of Object.entries(options.ways)) {
    for (const [name, speech] of Object.entries(speeches)) {
      const sent = speech.through(fetch ?? ((...request) => globalThis.fetch(...request)));
      const connect = (): Promise<Client> =>
        connectClient({
          dial: http(url, { fetch: sent, auth: options.auth, fallback: sseTransport() }),
          info: { name: "anywhere", version: "1.0.0" },
          eras: speech.eras(),
        });
      outcomes.push(
        ...(await check(name, speech, connect, options)).map((each) => ({ ...each, check: `${way}, ${each.check}` })),
      );
    }
  }
  return outcomes;
}

async function check(
  speech: string,
  { era }: Speech,
  connect: () => Promise<Client>,
  { without = [] }: CheckOptions,
): Promise<readonly Checked[]> {
  const outcomes: Checked[] = [];
  if (without.includes(speech)) return outcomes;
  const run = async (name: string, act: () => Promise<void>): Promise<void> => {
    const title = `${speech}: ${name}`;
    if (!without.includes(title)) outcomes.push(await attempt(title, act));
  };
  let connected: Client | undefined;
  await run("connect", async () => {
    connected = await connect();
    equal(connected.server.era, era);
  });
  const client = connected;
  if (client === undefined) return outcomes;
  for (const [name, act] of Object.entries(checks)) await run(name, () => act(client));
  await run("close", () => client.close());
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
