import { type Handler, LocalError } from "@parlance/jsonrpc";
import type { ChangeBus, FeatureSet, Implementation, OnError, ServerEra } from "@parlance/protocol-versions";
import type { FeatureMiddleware } from "./feature-set.js";
import type { ServerReport } from "./report.js";

/**
 * Stands around the whole server: it sees every request and notification as it came. The first in a list is outermost.
 * @stable
 */
export type HandlerMiddleware = (next: Handler) => Handler;

/**
 * What a server is made of.
 * @stable
 */
export interface ServerOptions {
  /** Who the server says it is; `name` and `version` are required by the protocol. */
  readonly info: Implementation;
  /** How to use this server, for the model on the other side. */
  readonly instructions?: string | undefined;
  /** What it offers; no two sets may answer the same method. `[]`: it only introduces itself. */
  readonly features: readonly FeatureSet[];
  /** The eras it speaks. Default: both. One alone pins it. */
  readonly eras?: readonly ServerEra[] | undefined;
  /** Stands around every feature, on every round of a call. Made once for each method and era. */
  readonly middleware?: readonly FeatureMiddleware[] | undefined;
  /** Stands around the whole server, inside the masking of errors. */
  readonly handlerMiddleware?: readonly HandlerMiddleware[] | undefined;
  /** Where changes travel. Default: a bus of its own; give one to share it, or to span processes. */
  readonly changes?: ChangeBus | undefined;
  /** Hears every error that was kept from a caller, those of tools too. */
  readonly onError?: OnError | undefined;
  /** Hears what the server noticed, those errors too. */
  readonly report?: ((report: ServerReport) => void) | undefined;
  /** How long `close` lets running calls go on, in milliseconds. Default `defaultDrainMs`. */
  readonly drainMs?: number | undefined;
}

/**
 * @throws LocalError `INVALID_ARGUMENT` naming the option, its value and what would be right
 */
export function checkOptions(options: ServerOptions): void {
  const { info, features, eras, drainMs = 0 } = options;
  if (!isText(info?.name)) refuse("info.name", info?.name, "a text");
  if (!isText(info.version)) refuse("info.version", info.version, 'a text such as "1.0.0"');
  checkList("features", features, "methods", "a list such as [createToolRegistry([tool])]");
  if (eras !== undefined) checkEras(eras);
  if (!(drainMs >= 0)) refuse("drainMs", drainMs, "0 or more milliseconds");
}

function checkEras(eras: readonly ServerEra[]): void {
  const right = "a list of stateless() and handshake(), each once";
  checkList("eras", eras, "serve", right);
  const names = eras.map(({ name }) => name);
  if (names.length === 0 || new Set(names).size < names.length) refuse("eras", names, right);
}

/** Refuses a list that holds what does not have `member`. A tool or an era tells by its name what was mixed up. */
function checkList(option: string, list: unknown, member: string, right: string): void {
  if (!Array.isArray(list)) refuse(option, list, right);
  if (list.every((each) => member in Object(each))) return;
  refuse(
    option,
    list.map((each) => Object(each).name ?? each),
    right,
  );
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function refuse(option: string, value: unknown, right: string): never {
  throw new LocalError("INVALID_ARGUMENT", `${option} is ${JSON.stringify(value)}, and should be ${right}`);
}
