import { LocalError } from "@parlance/jsonrpc";

/**
 * A part of a URI template: text as it stands, or what stands for a value. `value` is one value, or several of one
 * variable (`many`); `pairs` are `name=value` in any order.
 */
export type Part =
  | { readonly type: "literal"; readonly text: string }
  | {
      readonly type: "value";
      readonly name: string;
      /** What stands before it; `""`: nothing. */
      readonly first: string;
      /** What stands between its values, where it may have several. */
      readonly between: string | undefined;
      readonly optional: boolean;
      /** What no value contains unless it is percent-encoded. */
      readonly forbidden: string;
      readonly longest: number;
    }
  | {
      readonly type: "pairs";
      readonly first: string;
      readonly between: string;
      readonly forbidden: string;
      readonly variables: readonly Variable[];
    };

interface Variable {
  readonly name: string;
  readonly many: boolean;
  /** In characters, of the decoded value. */
  readonly longest: number;
}

/** How the variables of an expression are written, by its operator. */
interface Style {
  readonly first: string;
  readonly between: string;
  readonly forbidden: string;
  readonly optional: boolean;
  readonly named?: true;
}

const styles: ReadonlyMap<string, Style> = new Map([
  ["", { first: "", between: ",", forbidden: "/?#", optional: false }],
  ["+", { first: "", between: ",", forbidden: "", optional: false }],
  ["#", { first: "#", between: ",", forbidden: "", optional: true }],
  [".", { first: ".", between: ".", forbidden: "/?#", optional: true }],
  ["/", { first: "/", between: "/", forbidden: "/?#", optional: true }],
  [";", { first: ";", between: ";", forbidden: ";/?#", optional: true, named: true }],
  ["?", { first: "?", between: "&", forbidden: "&#", optional: true, named: true }],
  ["&", { first: "&", between: "&", forbidden: "&#", optional: true, named: true }],
]);

const variable = /^((?:\w|%[\da-fA-F]{2})(?:\.?(?:\w|%[\da-fA-F]{2}))*)(\*|:[1-9]\d{0,3})?$/;

/**
 * Takes a URI template apart.
 * @throws LocalError `INVALID_ARGUMENT` saying what is wrong with it
 * @see RFC 6570, levels 1 to 4
 */
export function parseTemplate(template: string): readonly Part[] {
  const parts: Part[] = [];
  const names = new Set<string>();
  let at = 0;
  while (at < template.length) {
    const open = template.indexOf("{", at);
    const text = template.slice(at, open === -1 ? undefined : open);
    if (text.includes("}")) throw invalid(template, 'a "}" closes nothing');
    if (text !== "") parts.push({ type: "literal", text });
    if (open === -1) break;
    const close = template.indexOf("}", open);
    if (close === -1) throw invalid(template, 'a "{" is not closed');
    parts.push(...parseExpression(template, template.slice(open + 1, close), names));
    at = close + 1;
  }
  return parts;
}

function parseExpression(template: string, expression: string, names: Set<string>): readonly Part[] {
  const operator = /^[^\w%]/.exec(expression)?.[0] ?? "";
  const style = styles.get(operator);
  if (style === undefined) throw invalid(template, `"{${expression}}" has no operator of + # . / ; ? &`);
  const variables = expression
    .slice(operator.length)
    .split(",")
    .map((text) => parseVariable(template, text, names));
  const { first, between, optional, named } = style;
  if (named) return [{ type: "pairs", first, between, forbidden: style.forbidden, variables }];
  const apart = variables.length > 1 || variables.some(({ many }) => many);
  const forbidden = apart ? style.forbidden + between : style.forbidden;
  return variables.map(({ name, many, longest }, index) => ({
    type: "value",
    name,
    first: index === 0 ? first : between,
    between: many ? between : undefined,
    optional,
    forbidden,
    longest,
  }));
}

function parseVariable(template: string, text: string, names: Set<string>): Variable {
  const [, name, modifier = ""] = variable.exec(text) ?? [];
  if (name === undefined) throw invalid(template, `"${text}" names no variable`);
  if (names.has(name)) throw invalid(template, `the variable "${name}" is there twice`);
  names.add(name);
  const longest = modifier.startsWith(":") ? Number(modifier.slice(1)) : Number.POSITIVE_INFINITY;
  return { name, many: modifier === "*", longest };
}

function invalid(template: string, what: string): LocalError {
  return new LocalError("INVALID_ARGUMENT", `the URI template "${template}" is none: ${what}`);
}
