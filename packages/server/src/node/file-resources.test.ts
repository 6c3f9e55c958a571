import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Caller, serving } from "../caller.fixture.js";
import { createResources, type FeatureSet, stateless } from "../index.js";
import { fileResources } from "./file-resources.js";

const eras = [stateless()];
const serve = (features: readonly FeatureSet[]) => serving(features, eras);

let home: string;
let caller: Caller;

beforeAll(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), "files-")));
  const root = join(home, "my docs");
  await mkdir(join(root, "sub"), { recursive: true });
  await writeFile(join(home, "secret.txt"), "secret");
  await writeFile(join(root, "sub", "é 1.md"), "# é");
  await writeFile(join(root, "a.bin"), Uint8Array.of(0xff, 0xfe));
  await writeFile(join(root, "nul.bin"), "a\0b");
  await writeFile(join(root, "big.txt"), "x".repeat(101));
  await symlink(join(home, "secret.txt"), join(root, "link.txt"));
  const mimeType = (path: string): string | undefined => (extname(path) === ".md" ? "text/markdown" : undefined);
  const files = [
    fileResources({ root, mimeType, maxBytes: 100 }),
    fileResources({ root, prefix: "docs:///", name: "doc" }),
  ];
  caller = serve([createResources(files)]).visitor();
});

afterAll(async () => {
  await rm(home, { recursive: true, force: true });
});

const read = async (uri: string) => {
  const { result, error } = await caller.ask("resources/read", { uri });
  return error ?? result.contents[0];
};

test("text is text, with its type, and the rest are bytes", async () => {
  const uri = pathToFileURL(join(home, "my docs", "sub", "é 1.md")).href;
  expect(await read(uri)).toEqual({ uri, mimeType: "text/markdown", text: "# é" });
  expect(await read("docs:///sub/%C3%A9%201.md")).toMatchObject({ text: "# é" });
  expect(await read("docs:///a.bin")).toEqual({ uri: "docs:///a.bin", blob: "//4=" });
  expect(await read("docs:///nul.bin")).toHaveProperty("blob");
});

test.each(["docs:///nowhere", "docs:///sub", "docs:///sub/"])("%s is not found", async (uri) => {
  expect(await read(uri)).toMatchObject({ code: -32602, data: { uri } });
});

test.each([
  "docs:///../secret.txt",
  "docs:///%2e%2e/secret.txt",
  "docs:///..%2fsecret.txt",
  "docs:///%252e%252e/secret.txt",
  "docs:////etc/passwd",
  "docs:///C:/x",
  "docs:///link.txt",
  "docs:///a%00",
])("RSC-20: %s is refused", async (uri) => {
  expect(await read(uri)).toMatchObject({ code: -32602, message: expect.stringContaining("is refused") });
});

test("a file that is too large is not read", async () => {
  const uri = pathToFileURL(join(home, "my docs", "big.txt")).href;
  expect(await read(uri)).toMatchObject({ code: -32602, message: expect.stringContaining("101 bytes") });
});
