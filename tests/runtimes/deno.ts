import { checkBoth, createTestHandler, toFetch } from "./bundle.js";

declare const Deno: {
  serve(
    options: { hostname: string; port: number; onListen(): void },
    fetch: (request: Request) => Promise<Response>,
  ): { readonly addr: { readonly port: number }; shutdown(): Promise<void> };
};

const handler = createTestHandler();
const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, toFetch(handler));
console.log(JSON.stringify(await checkBoth(handler, `http://127.0.0.1:${server.addr.port}/mcp`)));
await handler.close();
await server.shutdown();
