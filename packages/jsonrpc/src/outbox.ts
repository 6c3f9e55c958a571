import { LocalError } from "./error.js";
import { alone, isPromise } from "./respond.js";
import type { Channel } from "./transport.js";

/** How many frames may wait to be drained before reading waits for them whatever else is open. */
const maxUndrained = 10_000;

/** The sending side of a channel, and what it says about reading. */
export interface Outbox {
  /** Sends one frame; nothing is thrown. A promise: it is not drained yet, or rejects with a `LocalError`: it cannot be sent. */
  send(text: string): Promise<void> | undefined;
  /**
   * While something is not drained: a promise that settles when all of it is, or on `letGo`. While questions of ours are
   * open, whose answers lie behind what is not read, there is none; but who never reads must not fill memory.
   */
  hold(questions: number): Promise<void> | undefined;
  letGo(): void;
  /** Closes the channel, and rejects what is not drained then. */
  close(reason: LocalError | undefined): Promise<void>;
}

/** @param opening the channel, to which goes what is sent before it is there */
export function createOutbox(opening: Promise<Channel>): Outbox {
  const undrained = new Set<(reason: unknown) => void>();
  let channel: Channel | undefined;
  let held: Promise<void> | undefined;
  let release = (): void => {};
  alone(async () => {
    channel = await opening;
  });

  function drain(taken: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      undrained.add(reject);
      const settle = (): void => {
        undrained.delete(reject);
        if (undrained.size === 0) release();
      };
      void taken.then(resolve, (cause: unknown) => reject(unsent(cause))).then(settle);
    });
  }

  return {
    send: (text) => {
      let taken: void | Promise<void>;
      try {
        taken = channel ? channel.send(text) : opening.then((to) => to.send(text));
      } catch (cause) {
        taken = Promise.reject(cause);
      }
      return isPromise(taken) ? drain(taken) : undefined;
    },
    hold: (questions) => {
      if (undrained.size === 0 || (questions > 0 && undrained.size < maxUndrained + questions)) return undefined;
      held ??= new Promise((resolve) => {
        release = () => {
          held = undefined;
          resolve();
        };
      });
      return held;
    },
    letGo: () => release(),
    close: async (reason) => {
      try {
        await (channel ?? (await opening)).close();
      } finally {
        for (const reject of undrained) reject(reason);
      }
    },
  };
}

function unsent(cause: unknown): LocalError {
  if (cause instanceof LocalError) return cause;
  return new LocalError("CLOSED", `the frame could not be sent: ${cause}`, { cause });
}
