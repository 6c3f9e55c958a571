import { type AnyPrompt, type AnyResource, prompt, resourceTemplate } from "@parlance/server";

const icons = [{ src: "https://example.com/icon.png" }];
const people = { title: "For people", icons };

/** What the server of a column has to read, besides its notes. */
export function readable(): readonly AnyResource[] {
  let reads = 0;
  return [
    { uri: "matrix://config", name: "config", ...people, mimeType: "application/json", read: () => '{"a":1}' },
    { uri: "matrix://logo", name: "logo", read: () => new Uint8Array([137, 80, 78, 71, 0, 255]) },
    { uri: "matrix://counted", name: "counted", cache: { ttlMs: 60_000, scope: "private" }, read: () => `${++reads}` },
    resourceTemplate({
      uriTemplate: "matrix://{name}/data{?as}",
      name: "data",
      read: ({ name, as }) => `${name} as ${as}`,
      complete: { name: Array.from({ length: 150 }, (_, n) => `n${n}`) },
    }),
  ];
}

/** What it may be asked to say. */
export const prompts: readonly AnyPrompt[] = [
  prompt({
    name: "greet",
    ...people,
    arguments: {
      who: { required: true, complete: ["Ada", "Alan", "Grace"] },
      lang: { complete: (_value, chosen) => [`as ${chosen["who"] ?? "nobody"} likes`] },
    },
    get: ({ who, lang }) => `Hello ${who}, in ${lang}`,
  }),
  prompt({
    name: "mixed",
    get: () => [
      { type: "audio", data: "YXVkaW8=", mimeType: "audio/wav" },
      { type: "resource_link", uri: "file:///b", name: "b" },
    ],
  }),
  prompt({ name: "plain", get: () => "plain" }),
];
