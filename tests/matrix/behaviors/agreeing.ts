import { listTools } from "@parlance/client";
import { expect } from "vitest";
import type { Behavior } from "../behavior.js";

/** What the two sides learn of each other. */
export const agreeing: readonly Behavior[] = [
  {
    title: "both sides speak the revision",
    run: async ({ client }, { version, era }) => {
      expect(client.server).toMatchObject({ version, era });
      expect(await client.callTool("look")).toMatchObject({ content: [{ text: version }] });
    },
  },
  {
    title: "the server says who it is, as far as the revision has words for it",
    run: async ({ client }, { has }) => {
      const info = { name: "matrix", version: "1.0.0" };
      const title = has("2025-06-18") ? { title: "Matrix" } : {};
      const more = has("2025-11-25") ? { description: "All of it", websiteUrl: "https://x.test" } : {};
      expect(client.server.info).toEqual({ ...info, ...title, ...more });
    },
  },
  {
    title: "the server says what it can do and how to use it",
    run: async ({ client }, { era }) => {
      const [tools, resources] = [{ listChanged: true }, { listChanged: true, subscribe: true }];
      // completion had no capability at first, and then every server may have it
      const others = { prompts: { listChanged: true }, completions: {}, logging: {} };
      expect(client.server.capabilities).toEqual({
        tools,
        resources,
        ...others,
        ...(era === "stateless" && { extensions: { "io.modelcontextprotocol/tasks": {} } }),
      });
      expect(client.server.instructions).toBe("Call anything");
    },
  },
  {
    title: "tools are listed with the fields that the revision has",
    run: async ({ client }, { has }) => {
      const tools = await listTools(client);
      const echo = tools.find(({ name }) => name === "echo");
      const later = {
        annotations: has("2025-03-26"),
        title: has("2025-06-18"),
        _meta: has("2025-06-18"),
        icons: has("2025-11-25"),
      };
      expect(echo).toMatchObject({ description: "Returns the text", inputSchema: { required: ["text"] } });
      for (const [field, isThere] of Object.entries(later))
        expect([field, field in (echo ?? {})]).toEqual([field, isThere]);
    },
  },
  {
    title: "an output schema is listed where the revision takes it: an object's since 2025-06-18, any since 2026-07-28",
    run: async ({ client }, { has }) => {
      const listed = new Map((await listTools(client)).map((tool) => [tool.name, "outputSchema" in tool]));
      expect([listed.get("sum"), listed.get("many")]).toEqual([has("2025-06-18"), has("2026-07-28")]);
    },
  },
  {
    title: "a sign of life is given",
    run: async ({ client }) => {
      await client.ping();
    },
  },
  {
    title: "a changed list is announced in the session",
    only: "handshake",
    run: async (_, { connect }) => {
      const { client, notifications, notified } = await connect();
      expect(await client.callTool("grow")).toMatchObject({ content: [{ text: "grew" }] });
      await notified(1);
      expect(notifications).toMatchObject([{ method: "notifications/tools/list_changed" }]);
      expect((await listTools(client)).map(({ name }) => name)).toContain("grown");
      await client.close();
    },
  },
  {
    title: "a changed list is not announced to those who did not ask",
    only: "stateless",
    run: async (_, { connect }) => {
      const { client, notifications } = await connect();
      await client.callTool("grow");
      await client.ping();
      expect(notifications).toEqual([]);
      expect((await listTools(client)).map(({ name }) => name)).toContain("grown");
      await client.close();
    },
  },
];
