import { checkBoth, createTestHandler, toFetch } from "./bundle.js";

declare const Bun: {
  serve(options: { hostname: string; port: number; idleTimeout: number; fetch(request: Request): Promise<Response> }): {
    readonly port: number;
    stop(closeActive: boolean): Promise<void>;
  };
};

const handler = createTestHandler();
const server = Bun.serve({ hostname: "127.0.0.1", port: 0, idleTimeout: 0, fetch: toFetch(handler) });
console.log(JSON.stringify(await checkBoth(handler, `http://127.0.0.1:${server.port}/mcp`)));
await handler.close();
await server.stop(true);
