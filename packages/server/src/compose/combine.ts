import { LocalError } from "@parlance/jsonrpc";
import { type Feature, type FeatureSet, mergeCapabilities, watchAll } from "@parlance/protocol-versions";
import { inTurn } from "./in-turn.js";
import { joinLists, listed } from "./lists.js";

/** The methods that name what they want: whichever set has it answers. */
const named: readonly string[] = ["tools/call", "prompts/get", "resources/read", "completion/complete"];

/**
 * Makes one feature set of several that answer the same methods: one list of all they have, calls answered by the first
 * that knows what they name, changes and subscriptions of all of them. What comes first keeps a name that two have.
 * Lists have the pages of the sets that divide theirs; a cursor is good for as long as the set that gave it says so.
 * @throws LocalError `INVALID_ARGUMENT` for sets that cannot be one: of two extensions, for one era only, or with a method
 * of their own that two of them answer
 * @stable
 */
export function combine(...sets: readonly FeatureSet[]): FeatureSet {
  const features = new Map<string, Feature[]>();
  for (const set of sets) {
    if (set.eras !== undefined) throw uncombined(`a feature set that only the ${set.eras.join(" and ")} era has`);
    for (const [method, feature] of Object.entries(set.methods)) {
      features.set(method, [...(features.get(method) ?? []), feature]);
    }
  }
  const extensions = sets.flatMap(({ extension }) => extension ?? []);
  if (extensions.length > 1) throw uncombined(`each of the extensions ${extensions.map(({ id }) => id).join(" and ")}`);
  const watching = sets.flatMap((set) => set.watching ?? []);
  const session = sets.flatMap((set) => set.session ?? []);
  return {
    get capabilities() {
      return mergeCapabilities(sets);
    },
    promises: mergeCapabilities(sets.map(({ promises = {} }) => ({ capabilities: promises }))),
    methods: Object.fromEntries([...features].map(([method, several]) => [method, oneOf(method, several)])),
    protocol: Object.assign({}, ...sets.map((set) => set.protocol)),
    changed: (listener) => endAll(sets.map((set) => set.changed?.(listener))),
    failed: (listener) => endAll(sets.map((set) => set.failed?.(listener))),
    around: (next) => sets.reduce((inner, set) => set.around?.(inner) ?? inner, next),
    outside: (next) => sets.reduceRight((inner, set) => set.outside?.(inner) ?? inner, next),
    session: (begun) => {
      for (const hear of session) hear(begun);
    },
    bus: sets.find((set) => set.bus)?.bus,
    asking: sets.find((set) => set.asking)?.asking,
    watching: watching.length > 1 ? watchAll(watching) : watching[0],
    extension: extensions[0],
  };
}

function oneOf(method: string, features: readonly Feature[]): Feature {
  const [first] = features;
  if (first !== undefined && features.length === 1) return first;
  const list = listed.get(method);
  if (list !== undefined) return joinLists(list, features);
  if (named.includes(method)) return inTurn(features);
  throw new LocalError(
    "INVALID_ARGUMENT",
    `two feature sets answer "${method}", which nothing tells apart; leave one out`,
  );
}

function endAll(ends: readonly ((() => void) | undefined)[]): () => void {
  return () => {
    for (const end of ends) end?.();
  };
}

/** The error for what a server has to be given as it is. */
function uncombined(what: string): LocalError {
  return new LocalError("INVALID_ARGUMENT", `${what} should stand among the features of the server by itself`);
}
