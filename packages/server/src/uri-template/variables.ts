/**
 * The variables of a URI template, read from its text: a string, a list where the variable is exploded (`{x*}`), and
 * perhaps absent where its operator makes it optional (`{/x}`, `{.x}`, `{;x}`, `{?x}`, `{&x}`, `{#x}`).
 * @stable
 */
export type TemplateVariables<T extends string> = string extends T
  ? { readonly [name: string]: string | readonly string[] | undefined }
  : { readonly [K in keyof All<T>]: All<T>[K] };

type All<T extends string> = T extends `${string}{${infer E}}${infer Rest}` ? Expression<E> & All<Rest> : unknown;

type Expression<E extends string> = E extends `+${infer V}`
  ? List<V>
  : E extends `${"#" | "." | "/" | ";" | "?" | "&"}${infer V}`
    ? Partial<List<V>>
    : List<E>;

type List<V extends string> = V extends `${infer One},${infer Others}` ? Variable<One> & List<Others> : Variable<V>;

type Variable<V extends string> = V extends `${infer N}*`
  ? { readonly [K in N]: readonly string[] }
  : V extends `${infer N}:${string}`
    ? { readonly [K in N]: string }
    : { readonly [K in V]: string };
