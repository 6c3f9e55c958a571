import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { insideRoot } from "./inside-root.js";

/** What happens between looking a file up and opening it. */
let meanwhile: (() => Promise<void>) | undefined;

vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  const open: typeof real.open = async (...args) => {
    await meanwhile?.();
    return real.open(...args);
  };
  return { ...real, open };
});

let home: string;
let root: string;
const refused = expect.objectContaining({ code: -32602, message: expect.stringContaining("is refused") });

beforeAll(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), "inside-")));
  root = join(home, "root");
  await mkdir(join(root, "sub"), { recursive: true });
  await mkdir(join(home, "outside"));
  await mkdir(join(home, "root-twin"));
  await writeFile(join(root, "a.txt"), "a");
  await writeFile(join(root, "sub", "b c.txt"), "b");
  await writeFile(join(root, "..name"), "dots");
  await writeFile(join(home, "outside", "b c.txt"), "secret");
  await symlink(join(root, "sub"), join(root, "in"));
  await symlink(join(home, "outside"), join(root, "out"));
  await symlink(join(home, "outside", "b c.txt"), join(root, "out.txt"));
  await symlink(join(home, "nowhere"), join(root, "dangling"));
  await symlink(join(root, "circle"), join(root, "circle"));
  await symlink(root, join(home, "alias"));
});

afterAll(async () => {
  await rm(home, { recursive: true, force: true });
});

const text = async (named: string, from = root): Promise<string> => {
  const handle = await insideRoot(from).open(named);
  try {
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
};

describe("RSC-20: what is inside is found", () => {
  test.each([
    ["a.txt", "a"],
    ["./a.txt", "a"],
    ["sub//b c.txt", "b"],
    ["sub/../a.txt", "a"],
    ["in/b c.txt", "b"],
    ["..name", "dots"],
  ])("%s", async (named, content) => {
    expect(await text(named)).toBe(content);
    expect(await text(named, join(home, "alias"))).toBe(content);
  });

  test("a file: URI", async () => {
    expect(await text(pathToFileURL(join(root, "sub", "b c.txt")).href)).toBe("b");
    expect(await insideRoot(root).path(pathToFileURL(root).href)).toBe(root);
  });

  test("what does not exist yet", async () => {
    expect(await insideRoot(root).path("new/file.txt")).toBe(join(root, "new", "file.txt"));
    expect(await insideRoot(root).path("in/new.txt")).toBe(join(root, "sub", "new.txt"));
    await expect(insideRoot(root).open("new.txt")).rejects.toMatchObject({ code: "ENOENT" });
  });
});

describe("RSC-20: what leads out is refused", () => {
  test.each([
    "..",
    "../outside/b c.txt",
    "../root-twin",
    "sub/../../outside/b c.txt",
    "sub\\..\\..\\outside",
    "/etc/passwd",
    "\\etc\\passwd",
    "%2e%2e/outside",
    "..%2foutside",
    "..%5coutside",
    "%252e%252e%252foutside",
    "a.txt%00.png",
    "a.txt\0.png",
    "C:\\Windows",
    "c:a.txt",
    "C%3A/x",
    "\\\\host\\share",
    "//host/share",
    "\\\\?\\C:\\x",
    "out/b c.txt",
    "out.txt",
    "out/new.txt",
    "dangling",
    "dangling/new.txt",
    "circle",
    "a.txt/x",
    "",
    "file:///etc/passwd",
    "file://host/share",
    "file:a.txt",
    "FILE:///etc/passwd",
  ])("%j", async (named) => {
    await expect(insideRoot(root).path(named)).rejects.toEqual(refused);
    await expect(insideRoot(root).open(named)).rejects.toEqual(refused);
  });

  test.each([
    "/../../outside",
    "/%2e%2e/outside",
    "/%252e%252e/outside",
    "%2f..%2foutside",
    "/a.txt?x",
    "/a.txt%00",
    "-twin",
  ])("a file: URI of the root and then %s", async (rest) => {
    await expect(insideRoot(root).path(`${pathToFileURL(root).href}${rest}`)).rejects.toEqual(refused);
  });

  test.each([undefined, null, 7, {}])("%j", async (named) => {
    await expect(insideRoot(root).path(named as never)).rejects.toEqual(refused);
  });
});

describe("RSC-20: what changes between looking up and opening is refused", () => {
  const swapped = async (from: string, to: string, named: string): Promise<unknown> => {
    const path = join(root, from);
    meanwhile = async () => {
      meanwhile = undefined;
      await rename(path, `${path}.kept`);
      await symlink(to, path);
    };
    try {
      return await text(named).catch((error: unknown) => error);
    } finally {
      await rm(path);
      await rename(`${path}.kept`, path);
    }
  };

  test("a file that becomes a link", async () => {
    expect(await swapped("a.txt", join(home, "outside", "b c.txt"), "a.txt")).toEqual(refused);
  });

  test("a folder that becomes a link", async () => {
    expect(await swapped("sub", join(home, "outside"), "sub/b c.txt")).toEqual(refused);
  });
});

test("paths are what the platform makes of them", async () => {
  expect(await insideRoot(root).path("sub/new")).toBe(`${root}${sep}sub${sep}new`);
});
