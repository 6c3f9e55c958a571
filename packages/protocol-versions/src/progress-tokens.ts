import { createSlots, type JsonObject } from "@parlance/jsonrpc";
import type { CallOptions } from "./era.js";

/** The method that reports progress, in every revision. */
export const progressMethod = "notifications/progress";

/** The progress tokens of one session: integers, each used once. */
export interface ProgressTokens {
  /** @returns a token under which `call` hears progress until it is retired */
  issue(call: CallOptions): number;
  retire(token: number): void;
  /**
   * Takes a progress notification to its call. One that is late is dropped: a server cannot know that its answer has
   * overtaken it.
   * @returns `false` when the token was never issued
   */
  deliver(params: JsonObject | undefined): boolean;
}

export function createProgressTokens(): ProgressTokens {
  const calls = createSlots<{ readonly number: number; readonly onProgress: CallOptions["onProgress"] }>();
  let issued = 0;
  return {
    issue: ({ onProgress }) => {
      issued = calls.next();
      calls.add({ number: issued, onProgress });
      return issued;
    },
    retire: (token) => void calls.take(token),
    deliver: (params) => {
      const token = params?.["progressToken"];
      if (typeof token !== "number" || !(token > 0 && token <= issued)) return false;
      const done = params?.["progress"];
      if (typeof done === "number") {
        calls.get(token)?.onProgress?.(done, numberIn(params?.["total"]), stringIn(params?.["message"]));
      }
      return true;
    },
  };
}

function numberIn(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function stringIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
