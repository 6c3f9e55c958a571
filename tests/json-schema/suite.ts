import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

export interface SuiteFile {
  /** Relative to the dialect's folder, without its extension. */
  readonly name: string;
  readonly groups: readonly Group[];
}

const root = fileURLToPath(new URL("../..", import.meta.url));
const data = join(process.env["PARLANCE_SPEC_DATA"] ?? join(root, "../shared"), "json-schema-test-suite");

/** The official JSON-Schema-Test-Suite is not part of this repository; it is read from where the spec's data is. */
export const isPresent: boolean = existsSync(data);

function jsonFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => path.endsWith(".json") && statSync(path).isFile())
    .sort();
}

export function suiteFiles(folder: "draft2020-12" | "draft7"): SuiteFile[] {
  const base = join(data, folder);
  return jsonFiles(base).map((path) => ({
    name: relative(base, path).replace(/\.json$/, ""),
    groups: JSON.parse(readFileSync(path, "utf8")) as Group[],
  }));
}

/** The documents that the suite's references lead to, by the URI it gives them. */
export function remotes(): Record<string, unknown> {
  const base = join(data, "remotes");
  return Object.fromEntries(
    jsonFiles(base).map((path) => [
      `http://localhost:1234/${relative(base, path)}`,
      JSON.parse(readFileSync(path, "utf8")),
    ]),
  );
}
