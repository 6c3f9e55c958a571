// What each package may import, straight from the picture in ARCHITECTURE.md.
// Tests may import more: they are checked for nothing here.

/** Package → the packages below it, and the third-party packages it may have at run time. */
const allowed = {
  jsonrpc: { below: [] },
  "json-schema": { below: [] },
  "protocol-versions": { below: ["jsonrpc"] },
  "tool-registry": { below: ["jsonrpc", "protocol-versions"] },
  "transport-stdio": { below: ["jsonrpc"] },
  "transport-http": { below: ["jsonrpc"], thirdParty: ["eventsource-parser"] },
  server: { below: ["jsonrpc", "protocol-versions"] },
  client: { below: ["jsonrpc", "protocol-versions"] },
  host: {
    below: [
      "jsonrpc",
      "protocol-versions",
      "json-schema",
      "tool-registry",
      "client",
      "transport-stdio",
      "transport-http",
    ],
  },
  telemetry: { below: ["jsonrpc", "protocol-versions"], thirdParty: ["@opentelemetry/api"] },
  tasks: { below: ["jsonrpc", "protocol-versions", "tool-registry", "server", "client"] },
  testing: { below: ["jsonrpc", "protocol-versions", "client", "tasks"] },
};

const nodeFree = [
  "jsonrpc",
  "protocol-versions",
  "json-schema",
  "tool-registry",
  "transport-http",
  "client",
  "server",
  "telemetry",
  "tasks",
];
const tests = "\\.(test|fixture)\\.ts$";

const oneRuleAPackage = Object.entries(allowed).map(([name, { below, thirdParty = [] }]) => ({
  name: `${name} imports only downwards`,
  severity: "error",
  from: { path: `^packages/${name}/src/`, pathNot: tests },
  to: {
    path: "^(packages|examples|tests|bench|node_modules)/",
    pathNot: [name, ...below]
      .map((sibling) => `^packages/${sibling}/`)
      .concat(thirdParty.map((dependency) => `/node_modules/${dependency}/`)),
  },
}));

const unlisted = {
  name: "every package has a rule",
  severity: "error",
  from: { path: "^packages/", pathNot: `^packages/(${Object.keys(allowed).join("|")})/` },
  to: {},
};

const eras = [
  ["stateless", "handshake"],
  ["handshake", "stateless"],
].map(([from, to]) => ({
  name: `${from} does not know ${to}`,
  severity: "error",
  from: { path: `/src/${from}/`, pathNot: tests },
  to: { path: `/src/${to}/` },
}));

export default {
  forbidden: [
    ...oneRuleAPackage,
    unlisted,
    ...eras,
    {
      name: "no cycles",
      comment:
        "types may refer to each other: nothing is loaded for it, and packages are kept apart by their own rules",
      severity: "error",
      from: { pathNot: tests },
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    { name: "everything resolves", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "runs anywhere",
      comment: "Node builtins stay in transports, `node` subpaths, host and cli",
      severity: "error",
      from: { path: `^packages/(${nodeFree.join("|")})/src/`, pathNot: [tests, "/src/node(/|\\.ts$)"] },
      to: { dependencyTypes: ["core"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["source", "types", "import"] },
  },
};
