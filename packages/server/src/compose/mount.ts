import { LocalError } from "@parlance/jsonrpc";
import { isPromise } from "@parlance/jsonrpc/respond";
import { type Change, changedCall, type Feature, type FeatureSet, type Outcome } from "@parlance/protocol-versions";
import { mergeMethods } from "../feature-set.js";
import type { Server } from "../server.js";
import { combine } from "./combine.js";
import { refuseForeign } from "./in-turn.js";
import { namesUnder, type Renaming, renamings } from "./rename.js";
import { type UriNames, watchAs } from "./watch.js";

/**
 * How something is mounted.
 * @stable
 */
export interface MountOptions {
  /**
   * Put in front of the URIs of resources and templates, and of those in results: `git+` makes `git+file:///a` of
   * `file:///a`. Default: resources keep their URIs.
   */
  readonly uriPrefix?: string | undefined;
}

/**
 * Gives what a feature set has, or a whole server, under a prefix: the names of its tools and prompts begin with it. It
 * stays live: what is added, removed or changed there is here too. A server keeps its middleware and the listener of its
 * errors for what it answers; its introduction, `handlerMiddleware` and end are its own. Put several together by `combine`.
 * @param prefix letters, digits, `_`, `-`, `.` and `/`: `git_` makes `git_log` of `log`
 * @throws LocalError `INVALID_ARGUMENT` for a prefix that names cannot begin with, and for what cannot be combined
 * @stable
 */
export function mount(
  prefix: string,
  what: FeatureSet | readonly FeatureSet[] | Server,
  options: MountOptions = {},
): FeatureSet {
  const { uriPrefix = "" } = options;
  check("prefix", prefix, /^[\w./-]*$/, 'letters, digits, "_", "-", "." and "/", such as git_');
  check("uriPrefix", uriPrefix, /^(?:[a-z][a-z\d+.-]*:?)?$/i, "the beginning of a URI, such as git+");
  const server = isServer(what) ? what.parts : undefined;
  const whole = combine(...(isServer(what) ? what.parts.features : isList(what) ? what : [what]));
  const uris = namesUnder(uriPrefix);
  const rename = renamings(namesUnder(prefix), uris);
  const methods = [...mergeMethods([whole], server?.middleware ?? [])].map(
    ([method, feature]) => [method, renamed(feature, rename.get(method))] as const,
  );
  const hear = isServer(what) ? what.changes.subscribe : whole.changed;
  const { promises, protocol, outside, session, bus, asking, watching, extension } = whole;
  return {
    get capabilities() {
      return whole.capabilities;
    },
    promises,
    methods: Object.fromEntries(methods),
    changed: (listener) => hear?.((change) => listener(changeOutside(change, uris))) ?? ignore,
    // a server has a listener of its own
    failed: (listener) => (server === undefined ? whole.failed?.(listener) : undefined) ?? ignore,
    protocol,
    outside,
    session,
    bus,
    asking,
    watching: watching && uriPrefix !== "" ? watchAs(uris, watching) : watching,
    extension,
  };
}

function renamed(feature: Feature, renaming: Renaming | undefined): Feature {
  if (renaming === undefined) return feature;
  const { params: inside, result: outside } = renaming;
  const renames = new WeakMap<object, Outcome>();

  function shape(outcome: Outcome): Outcome {
    if (outside === undefined || outcome.type !== "complete") return outcome;
    const known = renames.get(outcome.result);
    if (known !== undefined) return known;
    const result = outside(outcome.result);
    if (outcome.stable !== true) return { ...outcome, result };
    const kept: Outcome = { ...outcome, result: Object.freeze(result) };
    renames.set(outcome.result, kept);
    return kept;
  }

  return (call) => {
    const params = inside === undefined ? call.params : inside(call.params);
    if (typeof params === "string") return refuseForeign(params);
    const outcome = feature(params === call.params ? call : changedCall(call, { params }));
    return isPromise(outcome) ? outcome.then(shape) : shape(outcome);
  };
}

function changeOutside(change: Change, { outside }: UriNames): Change {
  return change.type === "resource" ? { type: "resource", uri: outside(change.uri) } : change;
}

function isServer(what: FeatureSet | readonly FeatureSet[] | Server): what is Server {
  return "parts" in what;
}

function isList(what: FeatureSet | readonly FeatureSet[]): what is readonly FeatureSet[] {
  return Array.isArray(what);
}

function check(option: string, value: unknown, shape: RegExp, right: string): void {
  if (typeof value === "string" && shape.test(value)) return;
  throw new LocalError("INVALID_ARGUMENT", `${option} is ${JSON.stringify(value)}, and should be ${right}`);
}

function ignore(): void {}
