/** A set of environment variables; what is `undefined` is left out. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The variables that a child gets of ours unless told otherwise: what programs, and on Windows `CreateProcess`, cmd.exe and
 * the common launchers, need to start and to find their data. None of them is a secret.
 * @stable
 */
export const safeEnvironmentNames: readonly string[] = /* @__PURE__ */ (
  "HOME LANG LC_ALL LC_CTYPE LOGNAME PATH SHELL TERM TMPDIR TZ USER " +
  "APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA NUMBER_OF_PROCESSORS OS PATHEXT PROCESSOR_ARCHITECTURE PROGRAMDATA " +
  "PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 SYSTEMDRIVE SYSTEMROOT TEMP TMP USERDOMAIN USERNAME USERPROFILE WINDIR"
).split(" ");

/**
 * The environment of a child: `own`, over what `names` let through of `parent`. What is `undefined` in `own` is not passed
 * on by Node.
 */
export function createEnvironment(
  own: Environment,
  names: readonly string[] = safeEnvironmentNames,
  parent: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
): Environment {
  // Windows compares names without case, and of two spellings a child would see only one.
  const key = (name: string): string => (platform === "win32" ? name.toUpperCase() : name);
  const given = Object.keys(own).map(key);
  const wanted = names.map(key).filter((name) => !given.includes(name));
  const inherited = Object.entries(parent).filter(
    // a value like this is a function that a shell exported; a shell in the child would run it
    ([name, value = ""]) => wanted.includes(key(name)) && !value.startsWith("()"),
  );
  return { ...Object.fromEntries(inherited), ...own };
}
