import { describe, expect, test } from "vitest";
import { createEnvironment, safeEnvironmentNames, variable } from "./environment.js";

const parent = {
  PATH: "/bin",
  HOME: "/here",
  SECRET_TOKEN: "s",
  USER: "me",
  LANG: "C.UTF-8",
  SHELLSHOCK: "() { :; }",
};

describe("STD-24: the environment of a child", () => {
  test("STD-24: only names of the short list are inherited", () => {
    expect(createEnvironment(parent, {}, "safe", "linux")).toEqual({
      PATH: "/bin",
      HOME: "/here",
      USER: "me",
      LANG: "C.UTF-8",
    });
    expect(safeEnvironmentNames("linux").filter((name) => /TOKEN|SECRET|KEY|PROXY/.test(name))).toEqual([]);
  });

  test("STD-24: a shell function is not inherited under an allowed name", () => {
    expect(createEnvironment({ TERM: "() { :; }; echo x" }, {}, "safe", "linux")).toEqual({});
  });

  test("BUG-22: own variables are laid over the inherited ones", () => {
    expect(createEnvironment(parent, { TOKEN: "x", USER: "other" }, "safe", "linux")).toMatchObject({
      PATH: "/bin",
      TOKEN: "x",
      USER: "other",
    });
  });

  test("BUG-22: undefined takes a name away, and never becomes a text", () => {
    const env = createEnvironment({ PATH: "/bin", HOME: undefined }, { PATH: undefined, EMPTY: "" }, "all", "linux");
    expect(env).toEqual({ EMPTY: "" });
  });

  test("BUG-22: everything, or nothing, can be asked for by name", () => {
    expect(createEnvironment(parent, {}, "all", "linux")).toEqual(parent);
    expect(createEnvironment(parent, { ONLY: "this" }, "none", "linux")).toEqual({ ONLY: "this" });
  });

  test("BUG-23: on Windows the list has what starting a program needs, and case makes no difference", () => {
    const windows = {
      Path: "C:\\node",
      PathExt: ".EXE;.CMD",
      ComSpec: "C:\\cmd.exe",
      SystemRoot: "C:\\Windows",
      Token: "s",
    };
    expect(createEnvironment(windows, {}, "safe", "win32")).toEqual({
      Path: "C:\\node",
      PathExt: ".EXE;.CMD",
      ComSpec: "C:\\cmd.exe",
      SystemRoot: "C:\\Windows",
    });
    expect(createEnvironment(windows, { PATH: "D:\\" }, "safe", "win32")).toMatchObject({ PATH: "D:\\" });
    expect(Object.keys(createEnvironment(windows, { PATH: "D:\\" }, "safe", "win32"))).not.toContain("Path");
    expect(safeEnvironmentNames("win32")).toEqual(expect.arrayContaining(["PATHEXT", "COMSPEC", "SYSTEMROOT", "TEMP"]));
  });

  test("a variable is found whatever its case", () => {
    expect([variable({ Path: "a" }, "PATH"), variable({ PATH: "b" }, "PATH"), variable({}, "PATH")]).toEqual([
      "a",
      "b",
      undefined,
    ]);
  });
});
