import {
  complete,
  eachResource,
  getPrompt,
  isResourceNotFound,
  listPrompts,
  listResources,
  listResourceTemplates,
  onLog,
  readResource,
  responseCache,
  setLogLevel,
} from "@parlance/client";
import { expect } from "vitest";
import { type Behavior, failure } from "../behavior.js";

const logo = new Uint8Array([137, 80, 78, 71, 0, 255]);

/** What a server has besides tools. */
export const reading: readonly Behavior[] = [
  {
    title: "resources, templates and prompts are listed, all pages of them, whole or one by one",
    run: async ({ client }) => {
      const uris = (await listResources(client)).map(({ uri }) => uri);
      expect(uris).toEqual(["matrix://config", "matrix://counted", "matrix://logo"]);
      const given: string[] = [];
      for await (const { uri } of eachResource(client)) given.push(uri);
      expect(given).toEqual(uris);
      expect((await listResourceTemplates(client)).map((one) => one.uriTemplate)).toEqual([
        "matrix://{name}/data{?as}",
        "note://{name}",
      ]);
      expect((await listPrompts(client)).map(({ name }) => name)).toEqual(["greet", "mixed", "plain"]);
    },
  },
  {
    title: "titles of resources and prompts travel since 2025-06-18, icons since 2025-11-25",
    run: async ({ client }, { has }) => {
      const [config] = await listResources(client);
      const [greet] = await listPrompts(client);
      for (const one of [config, greet]) {
        expect(one?.title).toBe(has("2025-06-18") ? "For people" : undefined);
        expect(one?.icons === undefined).toBe(!has("2025-11-25"));
      }
    },
  },
  {
    title: "text, bytes and what a template names are read, values decoded",
    run: async ({ client }) => {
      expect((await readResource(client, "matrix://config")).contents).toEqual([
        { uri: "matrix://config", mimeType: "application/json", text: '{"a":1}' },
      ]);
      const [image] = (await readResource(client, "matrix://logo")).contents;
      expect(Uint8Array.from(atob(image?.blob ?? ""), (character) => character.charCodeAt(0))).toEqual(logo);
      const [data] = (await readResource(client, "matrix://New%20York/data?as=text")).contents;
      expect(data).toMatchObject({ uri: "matrix://New%20York/data?as=text", text: "New York as text" });
    },
  },
  {
    title: "a resource that does not exist is told from other failures",
    run: async ({ client }) => {
      const missing = await failure(readResource(client, "matrix://none"));
      expect(isResourceNotFound(missing)).toBe(true);
      expect(missing).toMatchObject({ data: { uri: "matrix://none" } });
      expect(isResourceNotFound(await failure(getPrompt(client, "none")))).toBe(false);
    },
  },
  {
    title: "a prompt is filled in, and one that lacks an argument is refused",
    run: async ({ client }) => {
      const { messages } = await getPrompt(client, "greet", { who: "Ada", lang: "en" });
      expect(messages).toEqual([{ role: "user", content: { type: "text", text: "Hello Ada, in en" } }]);
      expect(await failure(getPrompt(client, "greet", { lang: "en" }))).toMatchObject({ code: -32602 });
      expect(await failure(getPrompt(client, "none"))).toMatchObject({ code: -32602 });
    },
  },
  {
    title: "content of a prompt that the revision does not have is told as text",
    run: async ({ client }, { has }) => {
      const { messages } = await getPrompt(client, "mixed");
      const [sound, link] = messages.map(({ content }) => content.type);
      expect(sound).toBe(has("2025-03-26") ? "audio" : "text");
      expect(link).toBe(has("2025-06-18") ? "resource_link" : "text");
    },
  },
  {
    title: "arguments and variables are completed, by what was chosen already since 2025-06-18",
    run: async ({ client }, { has }) => {
      const prompt = { type: "ref/prompt", name: "greet" } as const;
      expect((await complete(client, prompt, "who", "al")).values).toEqual(["Alan"]);
      const { values } = await complete(client, prompt, "lang", "", { chosen: { who: "Ada" } });
      expect(values).toEqual([has("2025-06-18") ? "as Ada likes" : "as nobody likes"]);
      const template = { type: "ref/resource", uri: "matrix://{name}/data{?as}" } as const;
      const many = await complete(client, template, "name", "n");
      expect(many).toMatchObject({ total: 150, hasMore: true });
      expect(many.values).toHaveLength(100);
    },
  },
  {
    title: "log messages of a level are asked for in one way, and heard",
    run: async (_, { connect }) => {
      const { client } = await connect();
      const levels: string[] = [];
      const end = onLog(client, ({ level }) => levels.push(level));
      await setLogLevel(client, "debug");
      await client.callTool("log");
      await setLogLevel(client, "error");
      await client.callTool("log");
      end();
      await client.callTool("log");
      expect(levels).toEqual(["debug", "error", "error"]);
      await client.close();
    },
  },
  {
    title: "what may be kept is asked for once since 2026-07-28, and each time before",
    run: async (_, { connect, has }) => {
      const { client } = await connect({ cache: responseCache() });
      const read = async (cache?: "refresh"): Promise<number> =>
        Number((await readResource(client, "matrix://counted", { cache })).contents[0]?.text);
      const first = await read();
      const later = [await read(), await read("refresh")];
      expect(later).toEqual(has("2026-07-28") ? [first, first + 1] : [first + 1, first + 2]);
      await client.close();
    },
  },
];
