/** A set of environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

const reference = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

/** What an entry's texts became, and what went into them. */
export interface Expansion {
  /** Puts values in place of `${VAR}` and `${VAR:-default}`, once: what is put in is not read again. */
  expand(text: string): string;
  /** Names that had neither a value nor a default, in the order in which they came. */
  readonly missing: ReadonlySet<string>;
  /** The values that were put in. */
  readonly values: ReadonlySet<string>;
}

export function createExpansion(env: Environment): Expansion {
  const missing = new Set<string>();
  const values = new Set<string>();
  return {
    missing,
    values,
    expand: (text) =>
      text.replace(reference, (whole, name: string, fallback: string | undefined) => {
        const value = env[name];
        // as in a shell, `:-` also stands in for an empty value
        const found = fallback !== undefined && (value === undefined || value === "") ? fallback : value;
        if (found === undefined) missing.add(name);
        else if (value === found) values.add(value);
        return found ?? whole;
      }),
  };
}
