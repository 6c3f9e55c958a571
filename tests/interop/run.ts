import { randomUUID } from "node:crypto";
import { behaviors, connect } from "./behaviors.js";
import type { Driver } from "./driver.js";
import { canSeeProcesses, leftover, markName } from "./processes.js";
import type { Lacking, Row } from "./row.js";

const limitMs = 30_000;

/** What came of one behavior of one row. */
export type Cell =
  | { readonly kind: "ok"; readonly ms: number }
  | { readonly kind: "failed"; readonly why: string }
  | { readonly kind: "lacks"; readonly why: string };

export interface Outcome {
  readonly row: Row;
  readonly cells: ReadonlyMap<string, Cell>;
}

/** The columns of the table. */
export const columns: readonly string[] = ["connect", ...Object.keys(behaviors), "close"];

/** Tries every behavior of a row on one connection. */
export async function run(row: Row): Promise<Outcome> {
  const mark = randomUUID();
  const cells = new Map<string, Cell>();
  let opened: Driver | undefined;
  cells.set(
    "connect",
    await attempt(async () => {
      opened = await connect(row, { [markName]: mark });
      return undefined;
    }),
  );
  const driver = opened;
  const gone: Cell = { kind: "failed", why: "there is no connection" };
  for (const [name, behavior] of Object.entries(behaviors)) {
    cells.set(name, driver === undefined ? gone : await attempt(() => row.without?.[name] ?? behavior(driver, row)));
  }
  cells.set("close", await attempt(() => close(driver, mark)));
  return { row, cells };
}

async function close(driver: Driver | undefined, mark: string): Promise<Lacking | undefined> {
  await driver?.close();
  if (!canSeeProcesses) return { lacks: "processes that are left cannot be found on this system" };
  const left = await leftover(mark);
  if (left.length > 0) throw new Error(`still running: ${left.join("; ")}`);
  if (driver === undefined) throw new Error("there is no connection");
  return undefined;
}

async function attempt(act: () => Lacking | Promise<Lacking | undefined>): Promise<Cell> {
  const startedMs = performance.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing came of it in ${limitMs} ms`)), limitMs);
  });
  try {
    const lacking = await Promise.race([act(), limit]);
    if (lacking !== undefined) return { kind: "lacks", why: lacking.lacks };
    return { kind: "ok", ms: performance.now() - startedMs };
  } catch (error) {
    return { kind: "failed", why: error instanceof Error ? error.message : `${error}` };
  } finally {
    clearTimeout(timer);
  }
}
