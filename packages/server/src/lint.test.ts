import { type FeatureSet, statelessServer } from "@parlance/protocol-versions";
import { expect, test, vi } from "vitest";
import { serving } from "./caller.fixture.js";
import { lint } from "./lint.js";
import { prompt } from "./prompts/prompt.js";
import { createPrompts } from "./prompts/prompts.js";
import { createResources } from "./resources/resources.js";

const block = { type: "resource", resource: { uri: "file:///a", text: "a" } } as const;
const link = { type: "resource_link", uri: "file:///a", name: "a" } as const;
const told = createPrompts([prompt({ name: "told", get: () => [block] }), prompt({ name: "link", get: () => link })]);
const tools: FeatureSet = {
  capabilities: { tools: {} },
  methods: {
    "tools/call": ({ params }) => {
      const outcome = { type: "complete", result: { content: [{ type: "text", text: "t" }, block] } } as const;
      return params["name"] === "later" ? Promise.resolve(outcome) : outcome;
    },
  },
};

test("TOOL-35: a resource in a result of a server that has no resources is told of, once", async () => {
  const report = vi.fn();
  const features = [tools, told];
  const { ask } = serving(features, [statelessServer()], [lint(features, report)]).visitor();
  for (const name of ["now", "later", "now"]) await ask("tools/call", { name });
  const { result } = await ask("prompts/get", { name: "told" });
  expect(result.messages).toHaveLength(1);
  expect(report.mock.calls.map(([what]) => what)).toEqual([
    { kind: "embedded_resource", method: "tools/call", uri: "file:///a" },
    { kind: "embedded_resource", method: "prompts/get", uri: "file:///a" },
  ]);
});

test("TOOL-35: one of a server that has resources is not, and neither is a link", async () => {
  const report = vi.fn();
  const features = [tools, createResources([])];
  await serving(features, [statelessServer()], [lint(features, report)])
    .visitor()
    .ask("tools/call", { name: "now" });
  await serving([told], [statelessServer()], [lint([told], report)])
    .visitor()
    .ask("prompts/get", { name: "link" });
  expect(report).not.toHaveBeenCalled();
});

test("RSC-16: a resource by an address of the web is told of when it is listed", async () => {
  const report = vi.fn();
  const features = [
    createResources([
      { uri: "https://example.com/a", name: "a", read: () => "a" },
      { uri: "file:///b", name: "b", read: () => "b" },
    ]),
  ];
  const { ask } = serving(features, [statelessServer()], [lint(features, report)]).visitor();
  await ask("resources/list");
  await ask("resources/list");
  expect(report.mock.calls).toEqual([[{ kind: "web_resource", uri: "https://example.com/a" }]]);
});
