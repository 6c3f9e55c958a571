import { connect, memoryPair, over, type Peer } from "@parlance/jsonrpc";
import { createServer, listening, type ServerOptions } from "@parlance/server";
import { type AnyTool, createToolRegistry, type ToolRegistry, tool } from "@parlance/tool-registry";
import type { DialEntry, ServerSettings } from "./config/entry.js";

/** A server in this process, as a host sees it. */
export interface Nearby {
  readonly entry: DialEntry;
  /** Its own tools. */
  readonly tools: ToolRegistry;
  /** How often it was started. */
  readonly starts: number;
  /** Whether it runs. */
  readonly isRunning: boolean;
  /** Ends it, as if it had crashed. */
  crash(): Promise<void>;
}

/** A server whose tools have these names, and answer with its own. */
export function nearby(
  id: string,
  tools: readonly (string | AnyTool)[],
  settings: ServerSettings = {},
  options: Partial<ServerOptions> & { readonly before?: (() => Promise<void>) | undefined } = {},
): Nearby {
  const registry = createToolRegistry(tools.map((each) => (typeof each === "string" ? says(each, id) : each)));
  const server = createServer({ info: { name: id, version: "1.0.0" }, features: [registry, listening()], ...options });
  let starts = 0;
  let peer: Peer | undefined;
  const entry: DialEntry = {
    ...settings,
    dial: async (handler, report) => {
      starts++;
      await options.before?.();
      const [near, far] = memoryPair();
      peer = await connect(far, server);
      return over(near)(handler, report);
    },
  };
  return {
    entry,
    tools: registry,
    get starts() {
      return starts;
    },
    get isRunning() {
      return peer !== undefined && !peer.closed.aborted;
    },
    crash: async () => peer?.close(),
  };
}

export function says(name: string, text: string): AnyTool {
  return tool({ name, description: `Says ${text}`, run: () => text });
}

/** A server that takes everything and never answers. */
export const silent: DialEntry = { dial: over(() => ({ send: () => undefined, close: async () => undefined })) };

/** A promise, and what settles it. */
export function gate(): { readonly opened: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
