import type { ToolCall } from "@parlance/tool-registry";

/** A call that waits to be released. */
interface Held {
  readonly call: ToolCall;
  readonly release: (text: string) => void;
}

/** Where one call is held. Over HTTP, whoever asks for it may come before it does. */
interface Seat {
  readonly taken: Promise<Held>;
  readonly left: Promise<void>;
  take(held: Held): void;
  leave(): void;
}

/** A seat for each name. */
export function createSeats(): { get(name: string): Seat } {
  const seats = new Map<string, Seat>();
  return {
    get: (name) => {
      const seat = seats.get(name) ?? createSeat();
      seats.set(name, seat);
      return seat;
    },
  };
}

function createSeat(): Seat {
  let take: Seat["take"] = () => undefined;
  let leave: Seat["leave"] = () => undefined;
  const taken = new Promise<Held>((resolve) => {
    take = resolve;
  });
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  return { taken, left, take, leave };
}
