import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { narrow } from "../../packages/protocol-versions/src/handshake/declared.js";
import { laterBlocks, types } from "../../packages/protocol-versions/src/handshake/differences.js";
import { richFields } from "../../packages/protocol-versions/src/handshake/question.js";
import type { ClientCapabilities } from "../../packages/protocol-versions/src/model/capability.js";
import type { ServedSession } from "../../packages/protocol-versions/src/served.js";
import {
  handshakeVersions,
  type ProtocolVersion,
  statelessVersions,
} from "../../packages/protocol-versions/src/version.js";
import { specData } from "./required.js";

type Schema = {
  readonly properties?: { readonly [name: string]: Schema };
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly $ref?: string;
  readonly const?: unknown;
};
type Schemas = { readonly [name: string]: Schema };

const folder = join(specData, "spec/schema");
const sessions = handshakeVersions.all.map((version, age) => ({
  version,
  laterFields: laterFields(age),
  laterBlocks: [...laterBlocks].flatMap(([block, newest]) => (age < newest ? [] : [block])),
  canDo: narrowed(version),
}));
const revisions = [...handshakeVersions.all, ...statelessVersions];

/** The members that a revision is not sent, by type. */
function laterFields(age: number): Readonly<Record<string, readonly string[]>> {
  const all = [...types].map(([type, members]) => {
    const later = members.split(" ").filter((member) => age >= Number(/@(\d)$/.exec(member)?.[1] ?? Number.NaN));
    return [type, later.map((member) => member.replace(/[:@].*/, ""))] as const;
  });
  return Object.fromEntries([...all, ...(age > 0 ? Object.entries(richFields) : [])]);
}

/** What a client is taken to be able to do that declares everything. */
function narrowed(version: ProtocolVersion): ClientCapabilities {
  const session = { version, caller: { capabilities: { elicitation: { form: {}, url: {} } } } };
  narrow(session as unknown as ServedSession);
  return session.caller.capabilities;
}

/** Where the schemas define what we name, where that is not a definition of the same name. */
const places: Readonly<Record<string, readonly (readonly string[])[]>> = {
  Annotations: [["Annotations"], ["Annotated", "annotations"], ["TextContent", "annotations"]],
  ContentBlock: [["TextContent"], ["ImageContent"], ["EmbeddedResource"]],
  ProgressNotificationParams: [["ProgressNotificationParams"], ["ProgressNotification", "params"]],
  Result: [["Result"], ["CacheableResult"], ["ListToolsResult"]],
  SchemaRoot: [["Tool", "inputSchema"]],
  "elicitation/create": [["ElicitRequestFormParams"], ["ElicitRequestURLParams"], ["ElicitRequest", "params"]],
  "sampling/createMessage": [["CreateMessageRequestParams"], ["CreateMessageRequest", "params"]],
  "tools/call": [["CallToolResult"]],
};

/** Not a member of the type where it came, so not to be found by its name. */
const elsewhere = new Set([
  "ContentBlock.icons",
  "ServerCapabilities.tasks",
  "Tool.execution",
  "elicitation/create.elicitationId",
]);

/** Later members that no feature of ours sends, that travel anyway, or that `Result` stands for. */
const notOurs = new Set([
  "ProgressNotificationParams._meta",
  "ServerCapabilities.extensions",
  "elicitation/create._meta",
  "sampling/createMessage._meta",
  "tools/call.resultType",
]);

if (!existsSync(folder)) {
  process.stdout.write("protocol revisions against the official schemas: no data\n");
} else {
  const schemas = new Map<string, Schemas>(
    revisions.map((version) => {
      const file = JSON.parse(readFileSync(join(folder, `${version}.json`), "utf8"));
      return [version, file.$defs ?? file.definitions];
    }),
  );

  function membersOf(all: Schemas, type: string): ReadonlySet<string> {
    const found = new Set<string>();
    for (const [name = "", ...path] of places[type] ?? [[type]]) {
      const schema = path.reduce<Schema | undefined>((at, part) => resolve(all, at)?.properties?.[part], all[name]);
      for (const member of Object.keys(resolve(all, schema)?.properties ?? {})) {
        found.add(member);
      }
    }
    return found;
  }

  function resolve(all: Schemas, schema: Schema | undefined): Schema | undefined {
    return schema?.$ref === undefined ? schema : all[schema.$ref.split("/").at(-1) ?? ""];
  }

  function blocksOf(all: Schemas): ReadonlySet<unknown> {
    return new Set(Object.values(all).map((schema) => schema.properties?.["type"]?.const));
  }

  describe.each(sessions)("LC-15, META-18: $version against its official schema", ({ version, ...revision }) => {
    const own = schemas.get(version) ?? {};
    const cases = Object.entries(revision.laterFields).flatMap(([type, names]) =>
      names.map((name) => ({ type, name })),
    );

    test("what it is not sent is not in its schema, and in the schema of a later revision", () => {
      for (const { type, name } of cases) {
        expect(membersOf(own, type), `${type}.${name} under ${version}`).not.toContain(name);
        const later = [...schemas].some(([other, all]) => other > version && membersOf(all, type).has(name));
        expect(later || elsewhere.has(`${type}.${name}`), `${type}.${name} after ${version}`).toBe(true);
      }
    });

    test("what a later revision added to a type is not sent", () => {
      for (const type of Object.keys(sessions.at(-1)?.laterFields ?? {})) {
        const known = membersOf(own, type);
        if (known.size === 0) {
          continue;
        }
        for (const [other, all] of schemas) {
          const added = other > version ? [...membersOf(all, type)].filter((name) => !known.has(name)) : [];
          const left = revision.laterFields[type] ?? [];
          const missed = added.map((name) => `${type}.${name}`).filter((name) => !notOurs.has(name));
          expect(
            missed.filter((name) => !left.includes(name.slice(type.length + 1))),
            other,
          ).toEqual([]);
        }
      }
    });

    test("blocks that it is not sent are not in its schema", () => {
      expect(revision.laterBlocks.filter((block) => blocksOf(own).has(block))).toEqual([]);
      const known = ["audio", "resource_link"].filter((block) => !revision.laterBlocks.includes(block));
      expect(known.filter((block) => !blocksOf(own).has(block))).toEqual([]);
    });

    test("it asks in the ways that are in its schema", () => {
      expect("elicitation" in revision.canDo).toBe("ElicitResult" in own);
      const hasPages = membersOf(own, "elicitation/create").has("elicitationId");
      expect(revision.canDo.elicitation?.url !== undefined).toBe(hasPages);
    });
  });
}

test("versions are told apart by their place in a list, and each has one revision", () => {
  expect(revisions).toEqual(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2026-07-28"]);
});
