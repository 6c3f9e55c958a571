import { Agent, request as httpRequest } from "node:http";

const clientInfo = { name: "bare", version: "1.0.0" };
const prefix = "io.modelcontextprotocol/";
const version = "2026-07-28";
const envelope = {
  [`${prefix}protocolVersion`]: version,
  [`${prefix}clientInfo`]: clientInfo,
  [`${prefix}clientCapabilities`]: {},
};

export async function connect({ era, url }) {
  const agent = new Agent({ keepAlive: true });
  const { hostname: host, port, pathname: path } = new URL(url);
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  let lastId = 0;

  function post(message, more) {
    return new Promise((resolve, reject) => {
      const options = { agent, host, port, path, method: "POST", headers: { ...headers, ...more } };
      const sending = httpRequest(options, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => resolve({ response, text }));
      });
      sending.on("error", reject);
      sending.end(JSON.stringify({ jsonrpc: "2.0", ...message }));
    });
  }

  if (era === "handshake") {
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    const { response } = await post({ id: ++lastId, method: "initialize", params });
    headers["mcp-session-id"] = response.headers["mcp-session-id"];
    headers["mcp-protocol-version"] = "2025-11-25";
    await post({ method: "notifications/initialized" });
  }
  const named =
    era === "stateless" ? { "mcp-protocol-version": version, "mcp-method": "tools/call", "mcp-name": "echo" } : {};
  return {
    call: async (text) => {
      const params = { name: "echo", arguments: { text } };
      const all = era === "stateless" ? { ...params, _meta: envelope } : params;
      const { text: answer } = await post({ id: ++lastId, method: "tools/call", params: all }, named);
      return JSON.parse(answer).result.content[0].text;
    },
    close: async () => agent.destroy(),
  };
}
