// What goes over the wire, written by hand: nothing here depends on any implementation.
export const versions = { handshake: "2025-11-25", stateless: "2026-07-28" };
const bench = { name: "bench", version: "1.0.0" };
const prefix = "io.modelcontextprotocol/";
const envelope = {
  [`${prefix}protocolVersion`]: versions.stateless,
  [`${prefix}clientInfo`]: bench,
  [`${prefix}clientCapabilities`]: {},
};

export const eras = ["handshake", "stateless"];

/** A request as text, without its line end. */
export function request(era, id, method, params = {}) {
  return JSON.stringify({
    jsonrpc: "2.0",
    id,
    method,
    params: era === "stateless" ? { ...params, _meta: envelope } : params,
  });
}

export function initialize(id) {
  const params = { protocolVersion: versions.handshake, capabilities: {}, clientInfo: bench };
  return JSON.stringify({ jsonrpc: "2.0", id, method: "initialize", params });
}

export const initialized = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });

/** A tool call cut where its id goes, for sending it many times. */
export function callParts(era, name, args) {
  const mark = 987_654_321;
  const [head, tail] = request(era, mark, "tools/call", { name, arguments: args }).split(String(mark));
  return { head, tail: `${tail}\n` };
}

/** Plain text of exactly so many bytes. */
export function textOf(bytes) {
  const words = "the quick brown fox jumps over the lazy dog ";
  return words.repeat(Math.ceil(bytes / words.length)).slice(0, bytes);
}
