import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Driver, Open, Program } from "./driver.js";

/** A client that is given an address, and the variables that mark the processes it starts. */
export type OpenUrl = (url: string, env: Program["env"]) => Promise<Driver>;

/** The program is started before the client, says where it serves, and is ended after it. */
export function served(open: OpenUrl): Open {
  return async (program) => {
    const child = spawn(program.command, program.args, {
      env: { ...process.env, ...program.env },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const end = async (): Promise<void> => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    };
    try {
      const driver = await open(await address(child), program.env);
      return { ...driver, close: () => thenAlways(driver.close(), end) };
    } catch (error) {
      await end();
      throw error;
    }
  };
}

/** Cleans up whatever came of the work, and says what came of it. */
export async function thenAlways(work: Promise<void>, cleanUp: () => Promise<void>): Promise<void> {
  try {
    await work;
  } finally {
    await cleanUp();
  }
}

/** The first line that is an address; what it says after that is nobody's business, but has to be read. */
async function address({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error("the program has no stdout");
  for await (const line of createInterface({ input: stdout })) {
    if (!/^https?:/.test(line)) continue;
    stdout.resume();
    return line;
  }
  throw new Error("the program ended before it said where it serves");
}
