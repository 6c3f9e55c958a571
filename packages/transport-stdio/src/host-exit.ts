import type { ProcessGroup } from "./process-group.js";

/** A child that must not outlive this process. */
export interface Ward {
  readonly group: ProcessGroup;
  /** Ends it in good order. */
  end(): Promise<unknown>;
}

const wards = new Set<Ward>();
const fatalSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
let ending = false;

/** Ends `ward` when this process is ended. Listens only while there are wards. Returns the way out. */
export function watchOver(ward: Ward): () => void {
  if (wards.size === 0) listen();
  wards.add(ward);
  return () => {
    if (wards.delete(ward) && wards.size === 0) unlisten();
  };
}

function listen(): void {
  for (const name of fatalSignals) process.on(name, onSignal);
  process.on("exit", onExit);
}

function unlisten(): void {
  for (const name of fatalSignals) process.off(name, onSignal);
  process.off("exit", onExit);
}

function onSignal(name: NodeJS.Signals): void {
  // Whoever else listens has a meaning for the signal of his own (a prompt that is cancelled, a drain), and our end is his to call.
  if (process.listenerCount(name) > 1) return;
  if (ending) {
    for (const ward of wards) ward.group.signal("SIGKILL");
    dieOf(name);
    return;
  }
  ending = true;
  void Promise.allSettled([...wards].map((ward) => ward.end())).then(() => dieOf(name));
}

/** Without our listeners the signal does what it does to every process. */
function dieOf(name: NodeJS.Signals): void {
  unlisten();
  ending = false;
  process.kill(process.pid, name);
}

/** Nothing can be waited for here; with this process the child's stdin ends too. */
function onExit(): void {
  for (const ward of wards) ward.group.signal("SIGTERM");
}
