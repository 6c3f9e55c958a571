import { type JsonObject, type Notify, type RequestId, type Serialized, serializedText } from "@parlance/jsonrpc";
import type { Change, ChangeBus } from "../change.js";
import { isJsonObject } from "../json-object.js";
import { memo } from "../memo.js";
import { subscriptionIdKey } from "./envelope.js";

/** How many notifications may wait for a reader that is behind: one that has more is told to listen anew. */
const maxWaiting = 2_000;

/** A change as it goes out: its text is made once, and each stream's tag is put into it. */
interface Told {
  readonly method: string;
  /** The text before the tag, inside `_meta`, and after `_meta`. */
  readonly head: string;
  readonly rest: string;
}

/** One stream that changes go out on. */
interface Reader {
  /** Changes that it wants go out from now on, when `acknowledged` has settled. */
  open(acknowledged: Promise<void>): void;
  /** Says that a resource has changed. */
  updated(uri: string): void;
  /** Sends what waits. */
  flush(): void;
  close(): void;
}

/** What there is to know of a stream. */
export interface ReaderOptions {
  readonly id: RequestId;
  readonly notify: Notify;
  wants(change: Change): boolean;
  /** Too much waits for the reader. */
  overrun(): void;
}

/** Takes the changes of one server to the streams that want them. One subscription to the bus serves all of them. */
export interface FanOut {
  add(options: ReaderOptions): Reader;
}

/**
 * Changes of one turn go out together, and each once. What comes while a reader has not taken the last yet waits, each
 * change once, so that a slow reader holds up nobody and nothing piles up.
 */
export function createFanOut(changes: ChangeBus): FanOut {
  const readers = new Set<Stream>();
  const behind = new Set<Stream>();
  const resources = new Map<string, Told>();
  let stop: (() => void) | undefined;

  function flush(): void {
    const all = [...behind];
    behind.clear();
    resources.clear();
    for (const reader of all) reader.flush();
  }

  function hear(change: Change): void {
    // single resources come by their own way, to those who watch them
    if (change.type === "resource") return;
    let told: Told | undefined;
    for (const reader of readers) {
      if (!reader.wants(change)) continue;
      told ??= tellOf(change);
      reader.put(change.type === "extension" ? told : change.type, told);
    }
  }

  class Stream implements Reader {
    readonly wants: ReaderOptions["wants"];
    readonly #options: ReaderOptions;
    readonly #tag: string;
    readonly #waiting = new Map<unknown, Told>();
    /** Set until the reader took what was sent last. */
    #busy = true;

    constructor(options: ReaderOptions) {
      this.wants = options.wants;
      this.#options = options;
      this.#tag = `${JSON.stringify(subscriptionIdKey)}:${JSON.stringify(options.id)}`;
    }

    open(acknowledged: Promise<void>): void {
      this.#settle(acknowledged);
    }

    updated(uri: string): void {
      const told = memo(resources, uri, () => ({
        method: "notifications/resources/updated",
        head: "",
        rest: `,"uri":${JSON.stringify(uri)}`,
      }));
      this.put(`resource ${uri}`, told);
    }

    put(key: unknown, told: Told): void {
      this.#waiting.set(key, told);
      if (this.#waiting.size > maxWaiting) {
        this.#waiting.clear();
        this.#options.overrun();
        return;
      }
      if (behind.size === 0) queueMicrotask(flush);
      behind.add(this);
    }

    flush(): void {
      if (this.#busy || this.#waiting.size === 0) return;
      const all = [...this.#waiting.values()];
      this.#waiting.clear();
      const { notify } = this.#options;
      this.#settle(Promise.all(all.map((told) => notify(told.method, tagged(told, this.#tag)))));
    }

    close(): void {
      readers.delete(this);
      behind.delete(this);
      this.#waiting.clear();
      if (readers.size > 0) return;
      stop?.();
      stop = undefined;
    }

    #settle(sent: Promise<unknown>): void {
      this.#busy = true;
      const next = (): void => {
        this.#busy = false;
        this.flush();
      };
      // a reader that can no longer be told is about to be closed
      sent.then(next, next);
    }
  }

  return {
    add: (options) => {
      const reader = new Stream(options);
      readers.add(reader);
      stop ??= changes.subscribe(hear);
      return reader;
    },
  };
}

function tellOf(change: Exclude<Change, { readonly type: "resource" }>): Told {
  if (change.type !== "extension") return { method: `notifications/${change.type}/list_changed`, head: "", rest: "" };
  const { _meta: meta, ...params } = change.params;
  return {
    method: change.method,
    head: isJsonObject(meta) ? members(meta, "", ",") : "",
    rest: members(params, ",", ""),
  };
}

/** The text of an object without its braces. */
function members(object: JsonObject, before: string, after: string): string {
  const text = JSON.stringify(object).slice(1, -1);
  return text === "" ? "" : before + text + after;
}

function tagged({ head, rest }: Told, tag: string): Serialized {
  return { [serializedText]: `{"_meta":{${head}${tag}}${rest}}` };
}
