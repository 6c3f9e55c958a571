import { join } from "node:path";
import type { HostReport, StdioEntry } from "@parlance/host";
import { callTool, type ToolRegistry } from "@parlance/tool-registry";

/** A scripted server that is a process. `waits`: it answers nothing before it gets SIGUSR2. */
export function peer(name: string, era: "stateless" | "handshake", waits: "waits" | "answers" = "answers"): StdioEntry {
  return { command: process.execPath, args: [join(import.meta.dirname, "peer.mjs"), name, era, waits] };
}

/** A server of a few lines of shell, which needs little to run. */
export const tiny: StdioEntry = { command: "/bin/sh", args: [join(import.meta.dirname, "tiny.sh")] };

/** The processes that servers said they are. */
export interface Pids {
  readonly report: (report: HostReport) => void;
  /** All that were ever started. */
  readonly all: readonly number[];
  /** Resolves when as many servers have said theirs: the last that each said. */
  of(count: number): Promise<ReadonlyMap<string, number>>;
}

export function watchPids(): Pids {
  const known = new Map<string, number>();
  const all: number[] = [];
  let heard = (): void => undefined;
  return {
    all,
    report: (report) => {
      const pid = report.kind === "stderr" ? /^pid (\d+)$/.exec(report.line)?.[1] : undefined;
      if (pid === undefined) return;
      known.set(report.server, Number(pid));
      all.push(Number(pid));
      heard();
    },
    of: async (count) => {
      while (known.size < count) {
        await new Promise<void>((resolve) => {
          heard = resolve;
        });
      }
      return known;
    },
  };
}

/** Whether a process runs. One that waits to be reaped does not. */
export function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

export async function textOf(registry: ToolRegistry, name: string, args = {}): Promise<string> {
  const { content, isError } = await callTool(registry, name, args);
  const [block] = content;
  return `${isError === true ? "error: " : ""}${block?.type === "text" ? block.text : ""}`;
}
