import { meta as metaOf } from "@parlance/client";
import { expect } from "vitest";
import { type Behavior, failure, say } from "../behavior.js";
import { secret } from "../server.js";

const awkward = `é漢字👩‍👩‍👧 "\\ \u2028\u2029\u0000 \ud83d`;

/** What comes of a call. */
export const calling: readonly Behavior[] = [
  {
    title: "a call is answered",
    run: async ({ client }) => {
      expect(await client.callTool("echo", { text: "hello" })).toMatchObject({
        content: [{ type: "text", text: "hello" }],
      });
    },
  },
  {
    title: "bad arguments are a result that says what was wrong",
    run: async ({ client }) => {
      const { content, isError } = await client.callTool("echo", { text: 5 });
      expect(isError).toBe(true);
      expect(content).toMatchObject([{ type: "text", text: expect.stringContaining("text") }]);
    },
  },
  {
    title: "an unknown tool is an error of the protocol",
    run: async ({ client }) => {
      expect(await failure(client.callTool("none"))).toMatchObject({ code: -32602 });
    },
  },
  {
    title: "a tool that throws gives nothing away",
    run: async ({ client, frames }) => {
      const { content, isError } = await client.callTool("fail");
      expect([isError, content.length]).toEqual([true, 1]);
      expect(frames.map(({ text }) => text).join()).not.toContain(secret);
    },
  },
  {
    title: "what a tool says in public is said",
    run: async ({ client }) => {
      const { content, isError } = await client.callTool("refuse");
      expect({ content, isError }).toEqual({ content: [{ type: "text", text: "not today" }], isError: true });
    },
  },
  {
    title: "an error of the protocol keeps its code and its data",
    run: async ({ client }) => {
      const error = { code: -31999, message: "protest", data: { why: "principle" } };
      expect(await failure(client.callTool("protest"))).toMatchObject(error);
    },
  },
  {
    title: "a tool that needs what the client cannot do is refused",
    run: async ({ client }, { era }) => {
      const code = era === "stateless" ? -32021 : -32600;
      expect(await failure(client.callTool("form"))).toMatchObject({ code });
    },
  },
  {
    title: "an unknown method is an error, and the connection lives on",
    run: async ({ client }) => {
      expect(await failure(client.request("matrix/none"))).toMatchObject({ code: -32601 });
      expect(await say(client, "echo", { text: "still here" })).toBe("still here");
    },
  },
  {
    title: "an unknown notification is ignored",
    run: async ({ client }) => {
      await client.notify("notifications/none", { a: 1 });
      expect(await say(client, "echo", { text: "still here" })).toBe("still here");
    },
  },
  {
    title: "a notification is heard by the server",
    run: async ({ client }) => {
      const before = JSON.parse(await say(client, "counts")).noticed;
      await client.notify("notifications/matrix", {});
      expect(JSON.parse(await say(client, "counts")).noticed).toBe(before + 1);
    },
  },
  {
    title: "calls at once get their own answers, in whatever order those come",
    run: async ({ client }) => {
      const names = Array.from({ length: 20 }, (_, n) => `held ${n}`);
      const answers = Promise.all(names.map((name) => say(client, "hold", { name })));
      for (const name of names.toReversed()) await client.callTool("release", { name });
      expect(await answers).toEqual(names);
    },
  },
  {
    title: "a hundred calls in one turn are all answered",
    run: async ({ client }) => {
      const texts = Array.from({ length: 100 }, (_, n) => `call ${n}`);
      expect(await Promise.all(texts.map((text) => say(client, "echo", { text })))).toEqual(texts);
    },
  },
  {
    title: "1 MiB comes back as it went",
    run: async ({ client }) => {
      const text = "0123456789abcdef".repeat(1 << 16);
      expect((await say(client, "echo", { text })) === text).toBe(true);
    },
  },
  {
    title: "awkward text comes back as it went",
    run: async ({ client }) => {
      expect(await say(client, "echo", { text: awkward })).toBe(awkward);
      expect(await say(client, "echo", { text: "" })).toBe("");
    },
  },
  {
    title: "_meta travels with the request and with the result",
    run: async ({ client }) => {
      const meta = {
        "example.com/trace": { id: 7 },
        traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      };
      const { _meta } = await client.callTool("look", {}, { meta: metaOf(meta) });
      expect(_meta).toMatchObject({ seen: meta });
    },
  },
];
