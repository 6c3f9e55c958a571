import { answers, type Client, type ClientOptions, onLog, setLogLevel } from "@parlance/client";
import { type PassOptions, type ProxyOptions, passQuestions, proxyFeatures } from "@parlance/client/proxy";
import { createServer, type FeatureSet, questions, type Server } from "@parlance/server";
import { connectInMemory } from "@parlance/testing";

export const eras = ["stateless", "handshake"] as const;
type Era = (typeof eras)[number];

/** Every way through a gateway: what its server speaks, and what its caller speaks. */
export const ways: readonly (readonly [Era, Era])[] = eras.flatMap((far) => eras.map((near) => [far, near] as const));

export interface Gateway {
  readonly client: Client;
  readonly server: Server;
  readonly remote: Client;
  close(): Promise<void>;
}

export interface GatewayOptions {
  readonly far: Era;
  readonly near: Era;
  readonly version?: string | undefined;
  readonly proxy?: ProxyOptions | undefined;
  readonly pass?: PassOptions | undefined;
  readonly answers?: ClientOptions["answers"];
  readonly around?: (proxy: FeatureSet) => FeatureSet;
  readonly onError?: (error: unknown) => void;
  readonly report?: ClientOptions["report"];
  readonly timeoutMs?: number;
}

/** A client at a gateway, which is the client of a server. */
export async function open(origin: Server, options: GatewayOptions): Promise<Gateway> {
  const { far, near, version, proxy, pass, around = (set) => set, onError, report, timeoutMs } = options;
  const remote = await connectInMemory(origin, { era: far, answers: passQuestions(pass), report, timeoutMs });
  const server = createServer({
    info: { name: "gateway", version: "1.0.0" },
    features: [questions(), around(proxyFeatures(remote, proxy))],
    onError,
  });
  const client = await join(server, near, { answers: options.answers, timeoutMs }, version);
  return {
    client,
    server,
    remote,
    close: async () => {
      await client.close();
      await server.close();
      await remote.close();
    },
  };
}

function join(server: Server, era: Era, given: Partial<ClientOptions>, version?: string): Promise<Client> {
  return connectInMemory(server, {
    era: version === undefined ? era : "handshake",
    version: version as never,
    ...given,
  });
}

/** Accepts the form of the origin, and answers all else. */
export const accepting = (asked: unknown[] = []): ClientOptions["answers"] =>
  answers({
    form: (question) => {
      asked.push(question.message);
      return { action: "accept", content: { name: "Ada" } };
    },
    sample: () => ({ role: "assistant", content: { type: "text", text: "Ho" }, model: "m" }),
    roots: [{ uri: "file:///a" }],
  });

/** What is logged from here on. */
export async function logsOf(client: Client): Promise<unknown[]> {
  const logs: unknown[] = [];
  onLog(client, ({ data }) => logs.push(data));
  await setLogLevel(client, "debug");
  return logs;
}
