/** Stands in for the URI of a document that does not name itself, so that relative references have a base. */
export const NAMELESS = "schema:///";

/** A URI reference, resolved. */
export interface Reference {
  /** Absolute, without its fragment. */
  readonly uri: string;
  /** Percent-decoded, without `#`. */
  readonly fragment: string;
}

/** Resolves a reference; one that is none leads to itself, where nothing is. */
export const resolve = (reference: string, base: string): Reference => {
  const [path = "", fragment = ""] = reference.split(/#(.*)/s);
  try {
    return { uri: path === "" ? base : new URL(path, base).href, fragment: decodeURIComponent(fragment) };
  } catch {
    return { uri: reference, fragment: "" };
  }
};
