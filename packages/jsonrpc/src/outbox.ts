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
  /** Rejects what is not drained, after the channel was closed. */
  end(reason: LocalError): void;
}

export function createOutbox(channel: Channel): Outbox {
  const undrained = new Set<(reason: LocalError) => void>();
  let held: Promise<void> | undefined;
  let release: (() => void) | undefined;

  function letGo(): void {
    release?.();
    held = release = undefined;
  }

  function drain(taken: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (act: () => void): void => {
        undrained.delete(reject);
        act();
        if (undrained.size === 0) letGo();
      };
      undrained.add(reject);
      taken.then(
        () => settle(resolve),
        (cause: unknown) => settle(() => reject(unsent(cause))),
      );
    });
  }

  return {
    send: (text) => {
      try {
        const taken = channel.send(text);
        return isPromise(taken) ? drain(taken) : undefined;
      } catch (cause) {
        return Promise.reject(unsent(cause));
      }
    },
    hold: () => {
      if (undrained.size === 0) return undefined;
      held ??= new Promise((resolve) => {
        release = resolve;
      });
      return held;
    },
    letGo,
    end: (reason) => {
      for (const reject of undrained) reject(reason);
    },
  };
}

function unsent(cause: unknown): LocalError {
  if (cause instanceof LocalError) return cause;
  const why = cause instanceof Error ? cause.message : cause;
  return new LocalError("CLOSED", `the frame could not be sent: ${why}`, { cause });
}
