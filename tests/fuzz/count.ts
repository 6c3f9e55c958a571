/** What a run has done so far. */
export interface Count {
  messages: number;
  results: number;
  errors: number;
  notifications: number;
  reports: number;
}

/** Counts what a server sent. @throws when it is not what a server may send */
export function countSent(text: string, count: Count): void {
  if (/[\n\r]/.test(text)) throw new Error(`more than one line: ${text}`);
  const message: unknown = JSON.parse(text);
  for (const one of Array.isArray(message) ? message : [message]) countOne(one, text, count);
}

function countOne(message: unknown, text: string, count: Count): void {
  if (typeof message !== "object" || message === null) throw new Error(`no message: ${text}`);
  const { jsonrpc, id, method, result, error } = message as Record<string, unknown>;
  if (jsonrpc !== "2.0") throw new Error(`not JSON-RPC 2.0: ${text}`);
  if (typeof method === "string" && id === undefined) count.notifications++;
  else if (method !== undefined) throw new Error(`a request: ${text}`);
  else if (isObject(result) && error === undefined && isId(id)) count.results++;
  else if (isError(error) && result === undefined && (id === undefined || isId(id))) count.errors++;
  else throw new Error(`neither a result nor an error: ${text}`);
}

function isId(id: unknown): boolean {
  return typeof id === "string" || Number.isSafeInteger(id);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isError(error: unknown): boolean {
  return isObject(error) && Number.isInteger(error["code"]) && typeof error["message"] === "string";
}
