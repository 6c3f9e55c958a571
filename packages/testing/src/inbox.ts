import type { Channel, LocalError, Sink, Transport } from "@parlance/jsonrpc";

/** A sink that keeps what it gets and lets a test wait for it. */
interface Inbox {
  readonly sink: Sink;
  readonly frames: readonly string[];
  readonly lost: readonly LocalError[];
  /** One entry each time `closed` was called. */
  readonly ends: readonly (Error | undefined)[];
  /** Resolves once this many frames have come; rejects when the connection ends before. */
  received(count: number): Promise<readonly string[]>;
  /** Resolves once the connection has ended. */
  ended(): Promise<void>;
  /** Is run from inside `closed`. */
  whenClosed(run: () => void): void;
  /** From now on asks the transport to stop reading. @returns what lets it go on */
  holdBack(): () => void;
}

function createInbox(): Inbox {
  const frames: string[] = [];
  const lost: LocalError[] = [];
  const ends: (Error | undefined)[] = [];
  const waiting = new Set<() => void>();
  let hold: Promise<void> | undefined;
  let onClosed: (() => void) | undefined;

  function wake(): void {
    for (const check of waiting) check();
  }

  function until(condition: () => boolean, hopeless: () => string | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      function check(): void {
        const reason = condition() ? undefined : hopeless();
        if (reason === undefined && !condition()) return;
        waiting.delete(check);
        if (reason === undefined) resolve();
        else reject(new Error(reason));
      }
      waiting.add(check);
      check();
    });
  }

  return {
    frames,
    lost,
    ends,
    sink: {
      frame: (text) => {
        frames.push(text);
        wake();
        return hold;
      },
      lost: (error) => {
        lost.push(error);
        wake();
      },
      closed: (cause) => {
        ends.push(cause);
        onClosed?.();
        wake();
      },
    },
    received: async (count) => {
      await until(
        () => frames.length >= count,
        () => (ends.length > 0 ? `the connection ended after ${frames.length} of ${count} frames` : undefined),
      );
      return frames.slice(0, count);
    },
    ended: () =>
      until(
        () => ends.length > 0,
        () => undefined,
      ),
    whenClosed: (run) => {
      onClosed = run;
    },
    holdBack: () => {
      let release = (): void => undefined;
      hold = new Promise((resolve) => {
        release = resolve;
      });
      return () => {
        hold = undefined;
        release();
      };
    },
  };
}

/** One opened end of a connection. */
export interface End {
  readonly inbox: Inbox;
  readonly channel: Channel;
}

export async function openEnd(transport: Transport): Promise<End> {
  const inbox = createInbox();
  return { inbox, channel: await transport(inbox.sink) };
}
