import { jsonSchema } from "@parlance/json-schema";
import { createServer, type Server } from "@parlance/server";
import { createToolRegistry, tool } from "@parlance/tool-registry";
import {
  anonymous,
  createHttpHandler,
  type HttpHandler,
  handshakeBinding,
  sseTransportBinding,
  statelessBinding,
} from "@parlance/transport-http";

const stepMs = 20;
const keepAliveMs = 200;
const counts = { hungUp: 0 };

/** How often a running `slow` was given up. */
export interface Counts {
  readonly hungUp: number;
}

const tools = createToolRegistry([
  tool({
    name: "echo",
    description: "Returns the text",
    input: jsonSchema<{ text: string }>({
      type: "object",
      properties: { text: { type: "string" } },
      required: ["text"],
    }),
    run: ({ text }) => text,
  }),
  tool({
    name: "progress",
    description: "Reports three steps",
    run: async (_, call) => {
      for (let step = 1; step <= 3; step++) {
        await wait(stepMs);
        await call.progress(step, 3);
      }
      return "done";
    },
  }),
  tool({
    name: "slow",
    description: "Says that it began, and then waits until it is given up",
    run: async (_, call) => {
      const givenUp = untilAborted(call.signal);
      await call.progress(1);
      await givenUp;
      return "given up";
    },
  }),
  tool({ name: "counts", description: "Says how often slow was given up", run: () => counts }),
]);

/** The server of the checks, in all ways on one URL. Nothing is started here: workers may not, before a request is there. */
export function createTestHandler(): HttpHandler {
  return createHttpHandler(createTestServer(), {
    auth: anonymous(),
    bindings: [sseTransportBinding(), statelessBinding(), handshakeBinding()],
  });
}

/**
 * The same for workers, with sessions, which live as long as the one worker here. workerd sees that a caller hung up when something is written,
 * so that comments on silent streams are what tells.
 */
export function createWorkerHandler(): HttpHandler {
  return createHttpHandler(createTestServer(), {
    auth: anonymous(),
    bindings: [statelessBinding({ keepAliveMs }), handshakeBinding({ keepAliveMs })],
  });
}

/** A server with the tools that the checks call. */
export function createTestServer(): Server {
  return createServer({ info: { name: "anywhere", version: "1.0.0" }, features: [tools] });
}

export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Counts in the event itself: workerd runs nothing of a request after that. */
function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // keeps the request busy, as a tool that works would
    const timer = setInterval(() => {}, stepMs);
    const aborted = (): void => {
      counts.hungUp++;
      clearInterval(timer);
      resolve();
    };
    signal.addEventListener("abort", aborted, { once: true });
  });
}
