import {
  type Connection,
  type Exchange,
  type Handler,
  LocalError,
  type Result,
  RpcError,
  type RpcNotification,
  type RpcRequest,
  rpcCodes,
} from "@parlance/jsonrpc";
import { travels } from "@parlance/jsonrpc/brand";
import { excerpt } from "@parlance/jsonrpc/codec";
import { alone, isPromise } from "@parlance/jsonrpc/respond";
import {
  type ChangeBus,
  type ErrorContext,
  type ServerEra,
  type ServerFacts,
  serverEras,
} from "@parlance/protocol-versions";
import { defaultDrainMs, drain } from "./drain.js";
import { type FeatureMiddleware, servedMethods } from "./feature-set.js";
import type { ServerOptions } from "./options.js";
import type { ServerReport } from "./report.js";

/**
 * An era that a server speaks, and in which versions, newest first.
 * @stable
 */
export type ServedEra = Pick<ServerEra, "name" | "versions">;

/**
 * What a server is made of.
 * @experimental
 */
export interface ServerParts extends Pick<ServerOptions, "features"> {
  readonly middleware: readonly FeatureMiddleware[];
}

/**
 * An MCP server as one `Handler`: any number of connections, of either era, may run on it at once.
 * @stable
 */
export interface Server extends Handler {
  /**
   * Carries what changed to whoever wants to hear it: `changesOf(server).tools()`. It goes nowhere unless `listening()` or a
   * set whose lists change is among the features.
   */
  readonly changes: ChangeBus;
  /** What it speaks, newest first, for a transport that speaks differently in each era. */
  readonly eras: readonly ServedEra[];
  /** What it is made of, for `mount` of `@parlance/server/compose`. */
  readonly parts: ServerParts;
  /**
   * Ends the server: new requests are refused, subscriptions end, running calls get `drainMs` and then their signals abort.
   * Settles when they are done, or a second after they were aborted. Connections are whoever opened them's to close. Idempotent.
   */
  close(): Promise<void>;
}

/**
 * Puts feature sets behind the eras of the protocol.
 * @throws LocalError `INVALID_ARGUMENT` without a name and a version or without an era, and when two sets answer one method
 * @stable
 */
export function createServer(options: ServerOptions): Server {
  const { info, instructions, features, middleware = [], handlerMiddleware = [], drainMs = defaultDrainMs } = options;
  if (!info?.name || !info.version) throw wrong("info", info, "{ name, version }");
  if (!features?.every?.((set) => set?.methods)) throw wrong("features", features, "a list such as [tools([tool])]");
  const eras = newestFirst(options.eras ?? serverEras());
  const versions = eras.flatMap((era) => era.versions);
  const closing = new AbortController();
  const { changes: shared } = options;
  const failed = (error: unknown): void => report({ kind: "listener_failed", error });
  const bus = features.find((set) => set.bus)?.bus?.({ shared, closing: closing.signal, failed });
  const changes = bus ?? shared ?? silentBus;
  const all = eras.map((era): Served => {
    const own = features.filter((set) => set.eras?.includes(era.name) ?? true);
    const methods = servedMethods(own, middleware);
    const facts = { info, instructions, versions, features: own, methods, changes, closing: closing.signal };
    return { era, facts };
  });
  const unlink = features.flatMap((set) => [set.changed?.((change) => changes.publish(change)), set.failed?.(hear)]);
  const handler = handlerMiddleware.reduceRight((next, wrap) => wrap(next), dispatch(all));
  const running = new Map<Exchange, Promise<Result>>();
  let closed: Promise<void> | undefined;

  function report(what: ServerReport): void {
    alone(() => options.report?.(what));
  }

  function hear(error: unknown, context: ErrorContext): void {
    report({ kind: "internal_error", error, ...context });
    alone(() => options.onError?.(error, context));
  }

  /** An answer that was meant passes as it is; everything else becomes "Internal error", and its cause stays here. */
  function mask(error: unknown, method: string, { signal }: Exchange): unknown {
    if (travels(error)) return error;
    const correlationId = crypto.randomUUID();
    // a call that stops because it was told to is no fault, and nobody reads its answer
    if (!signal.aborted) hear(error, { method, correlationId });
    return new RpcError(rpcCodes.internalError, "Internal error", { data: { correlationId }, cause: error });
  }

  async function settle(result: PromiseLike<Result>, method: string, exchange: Exchange): Promise<Result> {
    try {
      return await result;
    } catch (error) {
      throw mask(error, method, exchange);
    } finally {
      running.delete(exchange);
    }
  }

  async function shut(): Promise<void> {
    closing.abort();
    const count = await drain(running, drainMs);
    for (const end of unlink) end?.();
    if (count > 0) report({ kind: "calls_aborted", count });
  }

  return {
    changes,
    eras,
    parts: { features, middleware },
    asking: features.find((set) => set.asking)?.asking,
    request: (message, exchange) => {
      if (closing.signal.aborted) throw new RpcError(rpcCodes.internalError, "The server is closing");
      try {
        const result = handler.request(message, exchange);
        if (!isPromise(result)) return result;
        const settled = settle(result, message.method, exchange);
        running.set(exchange, settled);
        return settled;
      } catch (error) {
        throw mask(error, message.method, exchange);
      }
    },
    notification: (message, connection) => handler.notification?.(message, connection),
    close: () => {
      closed ??= shut();
      return closed;
    },
  };
}

/** Where nobody hears of changes. */
const silentBus: ChangeBus = { publish: () => {}, subscribe: () => () => {} };

/** What an era serves a server with. */
interface Served {
  readonly era: ServerEra;
  readonly facts: ServerFacts;
}

/** The first era that claims a message gets it; a request that none claims, the newest refuses. */
function dispatch(all: readonly Served[]): Handler {
  const [newest] = all;
  if (newest === undefined) throw wrong("eras", [], "a list of stateless(), handshake() or both");
  const claimant = (message: RpcRequest | RpcNotification, connection: Connection): Served | undefined =>
    all.find(({ era }) => era.claims(message, connection));
  return {
    request: (message, exchange) => {
      const { era, facts } = claimant(message, exchange.connection) ?? newest;
      return era.serve(message, exchange, facts);
    },
    notification: (message, connection) => {
      const served = claimant(message, connection);
      served?.era.notice?.(message, connection, served.facts);
    },
  };
}

/** The newest is asked first: what it claims is marked, what the handshake claims depends on what came before. */
function newestFirst(eras: readonly ServerEra[]): readonly ServerEra[] {
  return [...eras].sort((one, other) => (String(one.versions) < String(other.versions) ? 1 : -1));
}

function wrong(option: string, value: unknown, right: string): LocalError {
  return new LocalError("INVALID_ARGUMENT", `${option} is ${excerpt(value)}, and should be ${right}`);
}
