// Constants of their own rather than members of one object: a bundle has only those it uses, and writes them in place.

/**
 * The methods that only the handshake era has.
 * @see MCP 2025-11-25, basic/lifecycle
 */
export const initializeMethod = "initialize";
export const initializedMethod = "notifications/initialized";
export const pingMethod = "ping";
export const setLevelMethod = "logging/setLevel";
export const subscribeMethod = "resources/subscribe";
export const unsubscribeMethod = "resources/unsubscribe";
