import type { Connection } from "@parlance/jsonrpc";
import { mergeCapabilities } from "../capability.js";
import type { Change } from "../change.js";
import type { ServerFacts } from "../era.js";
import { isJsonObject } from "../json-object.js";
import { memo } from "../memo.js";
import type { ServedSession } from "../served.js";
import { hearEnd } from "./end.js";

type Join = (connection: Connection) => Member | undefined;

const servers: WeakMap<ServerFacts, Join> = /* @__PURE__ */ new WeakMap();

/**
 * Tells a session that lists have changed, those of them that it was promised to hear of. Changes made in one turn are
 * told once; until the client is ready they are held back.
 * @see MCP 2025-11-25, basic/lifecycle, initialization
 */
export function announce(session: ServedSession): void {
  const { connection, server } = session;
  if (connection.notify === undefined) return;
  const join = memo(servers, server, () => createAudience(server));
  const member = join(connection);
  if (member === undefined) return;
  session.whenReady(() => member.open());
  hearEnd(connection, () => member.stop());
}

/**
 * Those that one server tells. One subscription to its changes serves all of them: there may be very many.
 * @returns what lets one in; nothing when it is in already, since several feature sets may bring it
 */
function createAudience({ changes, features }: ServerFacts): Join {
  const capabilities = Object.entries(mergeCapabilities(features, true));
  const promised = new Set(
    capabilities.filter(([, one]) => isJsonObject(one) && one["listChanged"] === true).map(([name]) => name),
  );
  const members = new Map<Connection, Member>();
  let stop: (() => void) | undefined;
  let isScheduled = false;

  function flush(): void {
    isScheduled = false;
    for (const member of members.values()) member.flush();
  }

  function hear({ type }: Change): void {
    if (!promised.has(type)) return;
    for (const member of members.values()) member.hear(type);
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(flush);
  }

  function leave(connection: Connection): void {
    if (members.delete(connection) && members.size === 0) {
      stop?.();
      stop = undefined;
    }
  }

  return (connection) => {
    if (promised.size === 0 || members.has(connection)) return undefined;
    const member = new Member(connection, leave);
    members.set(connection, member);
    stop ??= changes.subscribe(hear);
    return member;
  };
}

/** Holds no function of its own: each weighs as much as the rest of it. */
class Member {
  readonly #connection: Connection;
  readonly #leave: (connection: Connection) => void;
  #pending: Set<string> | undefined;
  #isOpen = false;
  /** Set until the client took what it was told last: what changes meanwhile waits, each list once. */
  #isBusy = false;

  constructor(connection: Connection, leave: (connection: Connection) => void) {
    this.#connection = connection;
    this.#leave = leave;
  }

  hear(type: string): void {
    this.#pending ??= new Set();
    this.#pending.add(type);
  }

  /** Lets go of what was held back, and holds back nothing more. */
  open(): void {
    this.#isOpen = true;
    if (this.#pending !== undefined) {
      queueMicrotask(() => this.flush());
    }
  }

  flush(): void {
    if (!this.#isOpen || this.#isBusy || this.#pending === undefined) {
      return;
    }
    const told = this.#pending;
    let left = told.size;
    const next = (): void => {
      left -= 1;
      if (left > 0) return;
      this.#isBusy = false;
      this.flush();
    };
    this.#pending = undefined;
    this.#isBusy = true;
    for (const type of told) {
      // a connection that can no longer be told is about to say that it is closed
      this.#connection.notify?.(`notifications/${type}/list_changed`, {}).then(next, next);
    }
  }

  stop(): void {
    this.#pending = undefined;
    this.#leave(this.#connection);
  }
}
