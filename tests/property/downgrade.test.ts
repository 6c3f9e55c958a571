import { batches, type JsonObject } from "@parlance/jsonrpc";
import { handshakeVersions } from "@parlance/protocol-versions";
import { createServer, type FeatureSet, handshake } from "@parlance/server";
import { connectInMemory } from "@parlance/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

/** Members that no revision has. */
const foreign = fc.dictionary(
  fc.string({ minLength: 1 }).map((name) => `x-${name}`),
  fc.jsonValue(),
  { maxKeys: 3 },
);

/** An object of some type: what every revision knows, what some do, and what none does. */
function typed(known: JsonObject, later: JsonObject): fc.Arbitrary<JsonObject> {
  return fc
    .tuple(fc.subarray(Object.entries(later)), foreign)
    .map(([some, more]) => ({ ...known, ...Object.fromEntries(some), ...more }));
}

const icons = [{ src: "https://example.com/i.png" }];
const meta = { _meta: { "example.com/x": 1 } };
const schema = typed({ type: "object" }, { $schema: "https://json-schema.org/draft/2020-12/schema" });
const tools = fc.array(
  fc
    .tuple(
      typed({ name: "t", description: "d" }, { title: "T", icons, annotations: {}, execution: {}, ...meta }),
      schema,
      fc.option(schema, { nil: undefined }),
    )
    .map(([tool, inputSchema, outputSchema]) => ({ ...tool, inputSchema, ...(outputSchema && { outputSchema }) })),
  { maxLength: 4 },
);
const annotations = typed({ priority: 1 }, { lastModified: "2026-01-01T00:00:00Z" });
const content = fc.array(
  fc
    .tuple(typed({ type: "text", text: "t" }, { icons, ...meta }), fc.option(annotations, { nil: undefined }))
    .map(([block, annotated]) => ({ ...block, ...(annotated && { annotations: annotated }) })),
  { maxLength: 4 },
);
const called = fc
  .tuple(typed({}, { structuredContent: { a: 1 }, resultType: "complete", ...meta }), content)
  .map(([result, blocks]) => ({ ...result, content: blocks }));
const listed = fc.tuple(typed({}, { ttlMs: 1, ...meta }), tools).map(([result, all]) => ({ ...result, tools: all }));

/** What sessions of a revision are sent of an answer. */
async function sentOf(
  method: string,
  result: JsonObject,
  version: (typeof handshakeVersions.all)[number],
): Promise<JsonObject> {
  const features: FeatureSet = {
    capabilities: { tools: {} },
    methods: { [method]: () => ({ type: "complete", result }) },
  };
  const eras = [handshake({ versions: [version], batches })];
  const server = createServer({ info: { name: "s", version: "1" }, features: [features], eras });
  const client = await connectInMemory(server, { version });
  const sent = await client.request(method, { name: "t" });
  await client.close();
  return sent;
}

/** Elsewhere an `outputSchema` is left out whole. */
const knowsOutput = ["2025-06-18", "2025-11-25"];

/** Where members that no revision has are, with their values. */
function foreignIn(value: unknown, path = ""): readonly (readonly [string, unknown])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name.startsWith("x-") ? [[`${path}/${name}`, inner] as const] : foreignIn(inner, `${path}/${name}`),
  );
}

/** That all of `less` is in `more`, unchanged and in its place. */
function isPartOf(less: unknown, more: unknown): boolean {
  if (typeof less !== "object" || less === null) return Object.is(less, more);
  if (typeof more !== "object" || more === null || Array.isArray(less) !== Array.isArray(more)) return false;
  if (Array.isArray(less) && Array.isArray(more) && less.length !== more.length) return false;
  return Object.entries(less).every(
    ([name, value]) => Object.hasOwn(more, name) && isPartOf(value, Reflect.get(more, name)),
  );
}

describe("what a session of an older revision is sent", () => {
  for (const [method, results] of [
    ["tools/list", listed],
    ["tools/call", called],
  ] as const) {
    test(`LC-15, META-17: of ${method}, all that no revision knows, and nothing that was not there`, async () => {
      await fc.assert(
        fc.asyncProperty(results, fc.constantFrom(...handshakeVersions.all), async (result, version) => {
          const before = JSON.stringify(result);
          const whole = JSON.parse(before);
          const sent = await sentOf(method, result, version);
          const expected = foreignIn(whole).filter(
            ([path]) => knowsOutput.includes(version) || !path.includes("/outputSchema/"),
          );
          expect(foreignIn(sent)).toEqual(expected);
          expect(isPartOf(sent, whole)).toBe(true);
          expect(JSON.stringify(result)).toBe(before);
        }),
        { numRuns: 150 },
      );
    });
  }
});
