import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type FindOptions, findConfig } from "./find.js";

const root = realpathSync(mkdtempSync(join(tmpdir(), "parlance-config-")));
afterAll(() => rmSync(root, { recursive: true }));

function put(path: string, id: string): string {
  const file = join(root, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, JSON.stringify({ servers: { [id]: { command: "${CMD:-x}" } } }));
  return file;
}

const [flag, above, user, named] = [
  put("elsewhere/my.json", "flag"),
  put("project/parlance.json", "above"),
  put("user/parlance/parlance.json", "user"),
  put("env/any.json", "env"),
];
mkdirSync(join(root, "project/src/deep"), { recursive: true });
mkdirSync(join(root, "empty"), { recursive: true });

function find(options: FindOptions): { readonly path: string | undefined; readonly printed: readonly string[] } {
  const printed: string[] = [];
  const found = findConfig({ env: {}, ...options, print: (line) => printed.push(line) });
  return { path: found?.path, printed };
}

test("O-84: a file that was asked for, then the working folder, those above, the user's own, and the environment", () => {
  const [home, nobody] = [{ XDG_CONFIG_HOME: join(root, "user") }, { XDG_CONFIG_HOME: join(root, "nobody") }];
  const deep = join(root, "project/src/deep");
  const [empty, any] = [join(root, "empty"), { PARLANCE_CONFIG: named }];
  expect(find({ flag, cwd: deep, env: home })).toEqual({ path: flag, printed: [`using the configuration ${flag}`] });
  expect(find({ cwd: join(root, "project"), env: home }).path).toBe(above);
  expect(find({ cwd: deep, env: { ...home, ...any } }).path).toBe(above);
  expect(find({ cwd: empty, env: { ...home, ...any } }).path).toBe(user);
  expect(find({ cwd: empty, env: { ...nobody, ...any } })).toMatchObject({ path: named });
  expect(find({ cwd: empty, env: nobody })).toEqual({ path: undefined, printed: [] });
});

test("a file without servers is said to have none", () => {
  const path = join(root, "none.json");
  writeFileSync(path, '{ "clock": { "command": "x" } }');
  expect(find({ flag: path }).printed[1]).toBe(
    `${path} names no servers: it has neither the key "servers" nor "mcpServers"`,
  );
});

test("what is found is read", () => {
  const found = findConfig({ flag, env: { CMD: "node" }, print: () => undefined });
  expect(found?.config.servers).toMatchObject({ flag: { command: "node" } });
});

test("a file that was named and is not there, or is no JSON, is refused by its name and without its text", () => {
  expect(() => find({ flag: "no.json", cwd: root })).toThrow(
    `${join(root, "no.json")}: there is no such file, and it was asked for`,
  );
  const env = { XDG_CONFIG_HOME: root, PARLANCE_CONFIG: "gone.json" };
  expect(() => find({ cwd: join(root, "empty"), env })).toThrow(/gone\.json: there is no such file.*PARLANCE_CONFIG/);
  const broken = join(root, "broken.json");
  writeFileSync(broken, '{\n"servers": { "a": hunter2 }\n}');
  expect(() => find({ flag: broken })).toThrow(/broken\.json: is no JSON( at line 2)?$/);
});
