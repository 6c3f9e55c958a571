import type { Notify } from "@parlance/jsonrpc";
import type { Announcements, Announcer } from "../announcements.js";
import type { Change, ChangeBus } from "../change.js";

/**
 * Tells the sessions of one server that lists have changed, those of them that were promised to hear of it.
 * One subscription to the changes serves all clients: there may be very many.
 */
export function createAnnouncements(changes: ChangeBus): Announcements {
  const members = new Set<Member>();
  let stop: (() => void) | undefined;
  let isScheduled = false;

  function flush(): void {
    isScheduled = false;
    for (const member of members) {
      member.flush();
    }
  }

  function hear({ type }: Change): void {
    for (const member of members) {
      member.hear(type);
    }
    if (!isScheduled) {
      isScheduled = true;
      queueMicrotask(flush);
    }
  }

  function leave(member: Member): void {
    if (members.delete(member) && members.size === 0) {
      stop?.();
      stop = undefined;
    }
  }

  return {
    add(notify, promised) {
      const member = new Member(notify, promised, leave);
      members.add(member);
      stop ??= changes.subscribe(hear);
      return member;
    },
  };
}

class Member implements Announcer {
  readonly #notify: Notify;
  readonly #promised: ReadonlySet<string>;
  readonly #leave: (member: Member) => void;
  #pending: Set<string> | undefined;
  #isOpen = false;
  /** Set until the client took what it was told last: what changes meanwhile waits, each list once. */
  #isBusy = false;

  constructor(notify: Notify, promised: ReadonlySet<string>, leave: (member: Member) => void) {
    this.#notify = notify;
    this.#promised = promised;
    this.#leave = leave;
  }

  hear(type: string): void {
    if (this.#promised.has(type)) {
      this.#pending ??= new Set();
      this.#pending.add(type);
    }
  }

  open(): void {
    this.#isOpen = true;
    if (this.#pending !== undefined) {
      queueMicrotask(() => this.flush());
    }
  }

  flush(): void {
    if (!this.#isOpen || this.#isBusy || this.#pending === undefined) {
      return;
    }
    const told = this.#pending;
    let left = told.size;
    const next = (): void => {
      left -= 1;
      if (left > 0) return;
      this.#isBusy = false;
      this.flush();
    };
    this.#pending = undefined;
    this.#isBusy = true;
    for (const type of told) {
      // a connection that can no longer be told is about to say that it is closed
      this.#notify(`notifications/${type}/list_changed`, {}).then(next, next);
    }
  }

  stop(): void {
    this.#pending = undefined;
    this.#leave(this);
  }
}
