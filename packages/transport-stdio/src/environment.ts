/** A set of environment variables; what is `undefined` is left out. */
export type Environment = Readonly<Record<string, string | undefined>>;

const posixNames = "HOME LANG LC_ALL LC_CTYPE LOGNAME PATH SHELL TERM TMPDIR TZ USER";

/** What `CreateProcess`, cmd.exe and the common launchers need, and where programs keep their data. */
const windowsNames =
  "APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA NUMBER_OF_PROCESSORS OS PATH PATHEXT PROCESSOR_ARCHITECTURE " +
  "PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 SYSTEMDRIVE SYSTEMROOT TEMP TMP USERDOMAIN USERNAME " +
  "USERPROFILE WINDIR";

/** The value of a variable, whatever the case of its name: Windows does not tell `Path` from `PATH`. */
export function variable(env: Environment, wanted: string): string | undefined {
  const name = wanted in env ? wanted : Object.keys(env).find((candidate) => candidate.toUpperCase() === wanted);
  return name === undefined ? undefined : env[name];
}

/**
 * The variables that a child gets of ours unless told otherwise: none of them is a secret.
 * @stable
 */
export function safeEnvironmentNames(platform: NodeJS.Platform = process.platform): readonly string[] {
  return (platform === "win32" ? windowsNames : posixNames).split(" ");
}

/** The environment of a child: what it inherits of `parent`, then `own` over it, where `undefined` takes a name away. */
export function createEnvironment(
  parent: Environment,
  own: Environment,
  inherit: "safe" | "all" | "none",
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  // Windows compares names without case, and of two spellings a child would see only one.
  const key = (name: string): string => (platform === "win32" ? name.toUpperCase() : name);
  const allowed = safeEnvironmentNames(platform);
  const chosen = new Map<string, readonly [name: string, value: string]>();
  const choose = (env: Environment, isWanted: (name: string, value: string) => boolean): void => {
    for (const [name, value] of Object.entries(env)) {
      if (value === undefined) chosen.delete(key(name));
      else if (isWanted(key(name), value)) chosen.set(key(name), [name, value]);
    }
  };
  // A value like this is a function that a shell exported; a shell in the child would run it.
  const isSafe = (name: string, value: string): boolean => allowed.includes(name) && !value.startsWith("()");
  if (inherit !== "none") choose(parent, inherit === "all" ? () => true : isSafe);
  choose(own, () => true);
  return Object.fromEntries(chosen.values());
}
