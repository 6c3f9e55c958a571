import type { EndSignal, ProcessGroup } from "./process-group.js";

/** A child that must not outlive this process. */
export interface Ward extends Pick<ProcessGroup, "signal"> {
  /** Ends it in good order. */
  end(): Promise<unknown>;
}

const wards = new Set<Ward>();
/** How long the process is held open for a signal to reach its listeners. */
const hearMs = 100;
const fatalSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Tells the listeners of other copies of this package, which a program may have installed beside this one. */
const brand: unique symbol = /* @__PURE__ */ Symbol.for("parlance.host-exit");
let ending = false;

/** Ends `ward` when this process is ended. Listens only while there are wards. Returns the way out. */
export function watchOver(ward: Ward): () => void {
  if (wards.size === 0) {
    Reflect.set(onSignal, brand, true);
    for (const name of fatalSignals) process.on(name, onSignal);
    process.on("exit", onExit);
  }
  wards.add(ward);
  return () => {
    if (wards.delete(ward) && wards.size === 0) unlisten();
  };
}

function unlisten(): void {
  for (const name of fatalSignals) process.off(name, onSignal);
  process.off("exit", onExit);
}

function onSignal(name: NodeJS.Signals): void {
  // Whoever else listens has a meaning for the signal of his own (a prompt that is cancelled, a drain), and our end is his to call.
  if (process.listeners(name).filter((listener) => !(brand in listener)).length > yielding()) return;
  if (ending) signalAll("SIGKILL");
  ending = true;
  void Promise.allSettled([...wards].map((ward) => ward.end())).then(() => dieOf(name));
}

/** Without our listeners the signal does what it does to every process. The last copy of us to be done sends it. */
function dieOf(name: NodeJS.Signals): void {
  unlisten();
  ending = false;
  if (process.listeners(name).some((listener) => brand in listener)) return;
  process.kill(process.pid, name);
  // Whoever listens hears it in a later turn, and with our children the last reason for one may be gone.
  setTimeout(() => undefined, hearMs);
}

/** How many listeners of signal-exit do nothing until they are alone. If we waited for them too, the signal would never do anything. */
function yielding(): number {
  const current = Reflect.get(globalThis, Symbol.for("signal-exit emitter"));
  const old = Reflect.get(process, "__signal_exit_emitter__");
  return (current?.count ?? 0) + (old?.count ?? 0);
}

function signalAll(name: EndSignal): void {
  for (const ward of wards) ward.signal(name);
}

/** Nothing can be waited for here; with this process the child's stdin ends too. */
function onExit(): void {
  signalAll("SIGTERM");
}
