import { LocalError } from "./error.js";
import { isPromise } from "./respond.js";
import type { Channel } from "./transport.js";

/** The sending side of a channel, and what it says about reading. */
export interface Outbox {
  /** Sends one frame; nothing is thrown. A promise: it is not drained yet, or rejects with a `LocalError`: it cannot be sent. */
  send(text: string): Promise<void> | undefined;
  /** While something is not drained: a promise that settles when all of it is, or on `letGo`. */
  hold(): Promise<void> | undefined;
  letGo(): void;
}

export function createOutbox(channel: Channel): Outbox {
  let undrained = 0;
  let held: Promise<void> | undefined;
  let release: (() => void) | undefined;

  function letGo(): void {
    release?.();
    held = release = undefined;
  }

  function drained(): void {
    undrained--;
    if (undrained === 0) letGo();
  }

  return {
    send: (text) => {
      let taken: void | Promise<void>;
      try {
        taken = channel.send(text);
      } catch (cause) {
        taken = Promise.reject(cause);
      }
      if (!isPromise(taken)) return undefined;
      undrained++;
      return taken.then(drained, (cause: unknown) => {
        drained();
        throw unsent(cause);
      });
    },
    hold: () => {
      if (undrained === 0) return undefined;
      held ??= new Promise((resolve) => {
        release = resolve;
      });
      return held;
    },
    letGo,
  };
}

function unsent(cause: unknown): LocalError {
  if (cause instanceof LocalError) return cause;
  return new LocalError("CLOSED", `the frame could not be sent: ${cause instanceof Error ? cause.message : cause}`, {
    cause,
  });
}
