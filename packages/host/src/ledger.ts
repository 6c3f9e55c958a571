import { type AnyTool, listTools, type ToolRegistry } from "@parlance/tool-registry";
import { say } from "./line.js";
import type { Offer, RefusedTool } from "./offer.js";
import type { Tell } from "./report.js";

/** Which server's tool has which name in a registry. */
export interface Ledger {
  /** Keeps a place in the order for a server that has nothing to offer yet. */
  expect(server: string): void;
  /** Says what a server has to offer now, in place of what it had before. */
  offer(server: string, offers: readonly Offer[]): void;
  /** Until then names go by the order of the servers; from then on who has a name keeps it. */
  settle(): void;
  /** Takes a server's tools away, and no others. */
  remove(server: string): void;
  /** The names that a server's tools have. */
  names(server: string): readonly string[];
  refused(server: string): readonly RefusedTool[];
}

/** What a server offers, and what became of it. */
interface Account {
  offers: readonly Offer[];
  /** Names that others had when they were offered. */
  readonly taken: Set<string>;
  /** Names that it gives to more than one of its own tools: the first has it. */
  readonly doubled: Set<string>;
  /** Names of offers that the registry did not take. */
  readonly invalid: Set<string>;
}

interface Claim {
  readonly server: string;
  readonly offer: Offer;
}

/** A tool in the registry. */
interface Held extends Claim {
  readonly tool: AnyTool;
  /** The definition as text, which tells whether it changed. */
  readonly text: string;
}

/** @param make makes the tool that calls the server */
export function createLedger(
  registry: ToolRegistry,
  make: (server: string, offer: Offer) => AnyTool,
  tell: Tell,
): Ledger {
  const accounts = new Map<string, Account>();
  const held = new Map<string, Held>();
  let settled = false;

  function open(server: string): Account {
    const account = accounts.get(server) ?? { offers: [], taken: new Set(), doubled: new Set(), invalid: new Set() };
    accounts.set(server, account);
    return account;
  }

  /** Gives names to the tools of these servers, in this order. */
  function assign(servers: readonly string[]): void {
    const claims = new Map<string, Claim>([...held].filter(([, { server }]) => !servers.includes(server)));
    for (const server of servers) {
      const account = accounts.get(server);
      if (account === undefined) continue;
      const { offers, taken, doubled, invalid } = account;
      for (const offer of offers) {
        const { name } = offer;
        if (invalid.has(name)) continue;
        const holder = claims.get(name);
        if (holder?.server === server) {
          deny(server, name, doubled, server);
          continue;
        }
        const isFree = holder === undefined && !isForeign(name);
        // what was refused stays so, or a name would change hands without anybody's doing
        if (isFree && !(settled && taken.has(name))) claims.set(name, { server, offer });
        else if (!isFree) deny(server, name, taken, holder?.server);
      }
    }
    for (const [name, { server }] of held) {
      if (servers.includes(server) && claims.get(name)?.server !== server) drop(name);
    }
    const fresh = [...claims].filter(([name, { server, offer }]) => !isHeld(name, server, offer));
    for (const [name, { server, offer }] of fresh) put(name, server, offer);
    warnOfSimilar(fresh.map(([name]) => name));
  }

  function isForeign(name: string): boolean {
    const present = registry.get(name);
    return present !== undefined && present !== held.get(name)?.tool;
  }

  function isHeld(name: string, server: string, offer: Offer): boolean {
    const present = held.get(name);
    if (present?.server !== server) return false;
    return present.offer === offer || present.text === JSON.stringify(offer.definition);
  }

  function drop(name: string): void {
    const present = held.get(name);
    if (present === undefined) return;
    held.delete(name);
    if (registry.get(name) === present.tool) registry.remove(name);
    tell({ kind: "tool_removed", server: present.server, tool: name });
  }

  function put(name: string, server: string, offer: Offer): void {
    drop(name);
    // whoever was told of the last one may have disconnected the server
    const account = accounts.get(server);
    if (account === undefined) return;
    try {
      const [tool, text] = [make(server, offer), JSON.stringify(offer.definition)];
      registry.add(tool, { owner: server });
      held.set(name, { server, offer, tool, text });
      tell({ kind: "tool_registered", server, tool: name });
    } catch (error) {
      account.invalid.add(name);
      tell({ kind: "tool_refused", server, tool: name, reason: say(error) });
    }
  }

  /** Until all are there nothing is told: the name may still change hands, and the refusal with it. */
  function deny(server: string, name: string, denied: Set<string>, holder: string | undefined): void {
    if (!settled || denied.has(name)) return;
    denied.add(name);
    tell({ kind: "name_refused", server, tool: name, holder });
  }

  function warnOfSimilar(names: readonly string[]): void {
    if (!settled || names.length === 0) return;
    const known = new Map<string, string[]>();
    for (const { name } of listTools(registry)) {
      known.set(name.toLowerCase(), [...(known.get(name.toLowerCase()) ?? []), name]);
    }
    for (const name of names) {
      const other = known.get(name.toLowerCase())?.find((each) => each !== name);
      const server = held.get(name)?.server;
      if (other !== undefined && server !== undefined) tell({ kind: "name_similar", server, tool: name, other });
    }
  }

  return {
    expect: (server) => void open(server),
    offer: (server, offers) => {
      const account = open(server);
      account.offers = offers;
      account.invalid.clear();
      const offered = new Set(offers.map(({ name }) => name));
      for (const denied of [account.taken, account.doubled]) {
        for (const name of denied) if (!offered.has(name)) denied.delete(name);
      }
      assign(settled ? [server] : [...accounts.keys()]);
    },
    settle: () => {
      if (settled) return;
      settled = true;
      assign([...accounts.keys()]);
      warnOfSimilar([...held.keys()]);
    },
    remove: (server) => {
      accounts.delete(server);
      for (const [name, { server: holder }] of held) if (holder === server) drop(name);
    },
    names: (server) => [...held].filter(([, { server: holder }]) => holder === server).map(([name]) => name),
    refused: (server) => {
      const { taken = [], doubled = [], invalid = [] } = accounts.get(server) ?? {};
      return [
        ...[...new Set([...taken, ...doubled])].map((name) => ({ name, why: "taken" as const })),
        ...[...invalid].map((name) => ({ name, why: "invalid" as const })),
      ];
    },
  };
}
