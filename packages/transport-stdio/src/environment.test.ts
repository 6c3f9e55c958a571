import { describe, expect, test } from "vitest";
import { createEnvironment, safeEnvironmentNames } from "./environment.js";

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
    expect(createEnvironment({}, undefined, parent, "linux")).toEqual({
      PATH: "/bin",
      HOME: "/here",
      USER: "me",
      LANG: "C.UTF-8",
    });
    expect(safeEnvironmentNames.filter((name) => /TOKEN|SECRET|KEY|PROXY/.test(name))).toEqual([]);
  });

  test("STD-24: a shell function is not inherited under an allowed name", () => {
    expect(createEnvironment({}, undefined, { TERM: "() { :; }; echo x" }, "linux")).toEqual({});
  });

  test("BUG-22: own variables are laid over the inherited ones", () => {
    expect(createEnvironment({ TOKEN: "x", USER: "other" }, undefined, parent, "linux")).toMatchObject({
      PATH: "/bin",
      TOKEN: "x",
      USER: "other",
    });
  });

  test("BUG-22: undefined takes a name away", () => {
    const env = createEnvironment(
      { PATH: undefined, EMPTY: "" },
      undefined,
      { PATH: "/bin", HOME: undefined },
      "linux",
    );
    expect(env).toEqual({ EMPTY: "" });
  });

  test("BUG-22: everything, something more, or nothing, can be asked for by name", () => {
    expect(createEnvironment({}, ["SECRET_TOKEN"], parent, "linux")).toEqual({ SECRET_TOKEN: "s" });
    expect(createEnvironment({ ONLY: "this" }, [], parent, "linux")).toEqual({ ONLY: "this" });
    const { SHELLSHOCK: _, ...harmless } = parent;
    expect(createEnvironment({}, Object.keys(parent), parent, "linux")).toEqual(harmless);
  });

  test("BUG-23: on Windows the list has what starting a program needs, and case makes no difference", () => {
    const windows = {
      Path: "C:\\node",
      PathExt: ".EXE;.CMD",
      ComSpec: "C:\\cmd.exe",
      SystemRoot: "C:\\Windows",
      Token: "s",
    };
    expect(createEnvironment({}, undefined, windows, "win32")).toEqual({
      Path: "C:\\node",
      PathExt: ".EXE;.CMD",
      ComSpec: "C:\\cmd.exe",
      SystemRoot: "C:\\Windows",
    });
    expect(createEnvironment({ PATH: "D:\\" }, undefined, windows, "win32")).toMatchObject({ PATH: "D:\\" });
    expect(Object.keys(createEnvironment({ PATH: "D:\\" }, undefined, windows, "win32"))).not.toContain("Path");
    expect(createEnvironment({}, ["token"], windows, "win32")).toEqual({ Token: "s" });
    expect(safeEnvironmentNames).toEqual(expect.arrayContaining(["PATHEXT", "COMSPEC", "SYSTEMROOT", "TEMP"]));
  });
});
