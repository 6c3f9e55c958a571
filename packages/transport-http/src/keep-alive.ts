/** How long a stream may be silent before a comment is sent. */
export const defaultKeepAliveMs: number = 15_000;

/** Something that wants to be touched now and then. */
interface Silent {
  keepAlive(): void;
}

/** Touches all its members by one timer, which runs only while there are any. */
export interface KeepAlive {
  add(member: Silent): void;
  delete(member: Silent): void;
}

export function createKeepAlive(intervalMs: number): KeepAlive {
  const members = new Set<Silent>();
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    add(member) {
      members.add(member);
      timer ??= setInterval(() => {
        for (const each of members) each.keepAlive();
      }, intervalMs);
    },
    delete(member) {
      members.delete(member);
      if (members.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
  };
}
