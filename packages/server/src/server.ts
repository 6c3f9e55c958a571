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
import { isPromise } from "@parlance/jsonrpc/respond";
import {
  type ChangeBus,
  type OnError,
  type ServerEra,
  type ServerFacts,
  serverEras,
} from "@parlance/protocol-versions";
import { alone } from "./alone.js";
import { announcer, type Changes, createChangeBus, leaseBus } from "./changes.js";
import { createDrain, defaultDrainMs } from "./drain.js";
import { type FeatureMiddleware, servedMethods } from "./feature-set.js";
import { mask } from "./masking.js";
import { checkOptions, type ServerOptions } from "./options.js";
import type { ServerReport } from "./report.js";

/**
 * An era that a server speaks, and in which versions, newest first.
 * @stable
 */
export type ServedEra = Pick<ServerEra, "name" | "versions">;

/**
 * What a server is made of, and what tells of its changes.
 * @experimental
 */
export interface ServerParts extends Required<Pick<ServerOptions, "features">>, Pick<ChangeBus, "subscribe"> {
  readonly middleware: readonly FeatureMiddleware[];
}

/**
 * An MCP server as one `Handler`: any number of connections, of either era, may run on it at once.
 * @stable
 */
export interface Server extends Handler {
  /** Announces what changed. */
  readonly changes: Changes;
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
 * @throws LocalError `INVALID_ARGUMENT` when an option is wrong
 * @stable
 */
export function createServer(options: ServerOptions): Server {
  checkOptions(options);
  const { info, instructions, features, middleware = [], handlerMiddleware = [], drainMs = defaultDrainMs } = options;
  const report = quiet(options.report);
  const hear = errorListener(options.onError, report);
  const [newest, ...older] = newestFirst(options.eras ?? serverEras());
  const eras = [newest, ...older];
  const closing = new AbortController();
  const bus = leaseBus(options.changes ?? createChangeBus(), (error) => report({ kind: "listener_failed", error }));
  const versions = eras.flatMap((era) => era.versions);
  const served = (era: ServerEra): Served => {
    const own = features.filter((set) => set.eras?.includes(era.name) ?? true);
    const methods = servedMethods(own, middleware);
    const facts = { info, instructions, versions, features: own, methods, changes: bus, closing: closing.signal };
    return { era, facts };
  };
  const unlink = features.flatMap((set) => [set.changed?.((change) => bus.publish(change)), set.failed?.(hear)]);
  const handler = handlerMiddleware.reduceRight(
    (next, wrap) => wrap(next),
    dispatch(served(newest), older.map(served)),
  );
  const drain = createDrain();
  let closed: Promise<void> | undefined;

  async function settle(result: PromiseLike<Result>, method: string, exchange: Exchange): Promise<Result> {
    drain.add(exchange);
    try {
      return await result;
    } catch (error) {
      throw mask(error, method, exchange, hear);
    } finally {
      drain.delete(exchange);
    }
  }

  async function shut(): Promise<void> {
    closing.abort();
    bus.end();
    const count = await drain.empty(drainMs);
    for (const end of unlink) end?.();
    if (count > 0) report({ kind: "calls_aborted", count });
  }

  return {
    changes: announcer(bus),
    eras: eras.map(({ name, versions }) => ({ name, versions })),
    parts: { features, middleware, subscribe: bus.subscribe },
    asking: features.find((set) => set.asking)?.asking,
    request: (message, exchange) => {
      if (closing.signal.aborted) throw new RpcError(rpcCodes.internalError, "The server is closing");
      try {
        const result = handler.request(message, exchange);
        return isPromise(result) ? settle(result, message.method, exchange) : result;
      } catch (error) {
        throw mask(error, message.method, exchange, hear);
      }
    },
    notification: (message, connection) => {
      try {
        return handler.notification?.(message, connection);
      } catch (error) {
        hear(error, { method: message.method, correlationId: crypto.randomUUID() });
      }
    },
    close: () => {
      closed ??= shut();
      return closed;
    },
  };
}

/** What an era serves a server with. */
interface Served {
  readonly era: ServerEra;
  readonly facts: ServerFacts;
}

/** The first era that claims a message gets it; a request that none claims, the newest refuses. */
function dispatch(newest: Served, others: readonly Served[]): Handler {
  const all = [newest, ...others];
  function claimant(message: RpcRequest | RpcNotification, connection: Connection): Served | undefined {
    return all.find(({ era }) => era.claims(message, connection));
  }
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

/** Stateless is asked first: what it claims is marked, what the handshake claims depends on what came before. */
function newestFirst(eras: readonly ServerEra[]): readonly [ServerEra, ...ServerEra[]] {
  const [first, ...rest] = [...eras].sort((a, b) => Number(b.name === "stateless") - Number(a.name === "stateless"));
  if (first === undefined) throw new LocalError("INVALID_ARGUMENT", "eras is [], and should be one era or more");
  return [first, ...rest];
}

/** A listener that throws changes nothing for the caller. */
function errorListener(onError: OnError | undefined, report: (report: ServerReport) => void): OnError {
  return (error, context) => {
    report({ kind: "internal_error", error, ...context });
    alone(
      () => onError?.(error, context),
      (failure) => report({ kind: "listener_failed", error: failure }),
    );
  };
}

/** What hears reports must not change what is reported on. */
function quiet(report: ((report: ServerReport) => void) | undefined): (report: ServerReport) => void {
  // there is nobody to tell
  return (what) => alone(() => report?.(what), ignore);
}

function ignore(): void {}
