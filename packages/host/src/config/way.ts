/** What is said only of a server that is a program, and only of one over HTTP. */
const ofPrograms = ["args", "env", "cwd"] as const;
const ofHttp = ["headers"] as const;

type Entry = Readonly<Record<string, unknown>>;

/**
 * What is wrong with how a server is reached.
 * @param foreign other programs pass over what does not belong together
 */
export function wayFault(entry: Entry, foreign: boolean): string | undefined {
  const { transport, command, url, dial } = entry;
  const ways = [command, url, dial].filter((way) => way !== undefined).length;
  if (ways > 1) return " has command and url; a server is reached in one way, remove the other";
  if (transport === "stdio" && command === undefined) return `.command is missing; transport "stdio" starts a program`;
  if (typeof transport === "string" && transport !== "stdio" && url === undefined) {
    return `.url is missing; transport "${transport}" needs one`;
  }
  if (ways === 0) return " has neither command nor url; give it the one it is reached by";
  const [strange, whose] = command === undefined ? [ofPrograms, "is a program"] : [ofHttp, "has a url"];
  const astray = foreign ? undefined : strange.find((key) => entry[key] !== undefined);
  return astray === undefined ? undefined : `.${astray} is for a server that ${whose}, and this is none; remove it`;
}

/** What is wrong with what the variables made of it. It does not repeat values, which may be secrets. */
export function valueFault({ command, url }: Entry): string | undefined {
  if (command === "") return ".command is empty; name the program";
  if (typeof url !== "string") return undefined;
  if (!URL.canParse(url)) return ".url is no URL; write http://… or https://…";
  const { protocol, username, password } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:") {
    return `.url begins with ${protocol}; a server over HTTP is at http://… or https://…`;
  }
  if (username + password === "") return undefined;
  return `.url holds credentials; put them into headers, as "authorization": "Basic \${…}"`;
}
