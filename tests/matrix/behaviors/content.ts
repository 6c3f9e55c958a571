import { expect } from "vitest";
import type { Behavior } from "../behavior.js";

/** What travels of a result under which revision. */
export const content: readonly Behavior[] = [
  {
    title: "structured content that is an object travels since 2025-06-18, and always as text",
    run: async ({ client }, { has }) => {
      const { structuredContent, content } = await client.callTool("sum");
      expect(structuredContent).toEqual(has("2025-06-18") ? { sum: 42 } : undefined);
      expect(content).toEqual([{ type: "text", text: '{"sum":42}' }]);
    },
  },
  {
    title: "structured content that is no object travels since 2026-07-28, and always as text",
    run: async ({ client }, { has }) => {
      const { structuredContent, content } = await client.callTool("many");
      expect(structuredContent).toEqual(has("2026-07-28") ? [1, 2] : undefined);
      expect(content).toEqual([{ type: "text", text: "[1,2]" }]);
    },
  },
  {
    title: "content that the revision does not have is told as text",
    run: async ({ client }, { has }) => {
      const { content } = await client.callTool("kinds");
      const audio = has("2025-03-26")
        ? { type: "audio", mimeType: "audio/wav" }
        : { type: "text", text: "[audio, audio/wav]" };
      const link = has("2025-06-18")
        ? { type: "resource_link", uri: "file:///b" }
        : { type: "text", text: "[resource link, b, file:///b]" };
      expect(content).toMatchObject([
        { type: "text", text: "words" },
        { type: "image", data: "aW1hZ2U=" },
        { type: "resource", resource: { uri: "file:///a", text: "in a file" } },
        audio,
        link,
      ]);
    },
  },
  {
    title: "fields of content that the revision does not have are left out",
    run: async ({ client }, { has }) => {
      const [text, image] = (await client.callTool("kinds")).content;
      const lastModified = has("2025-06-18") ? { lastModified: "2026-01-01T00:00:00Z" } : {};
      expect(text).toHaveProperty("annotations", { priority: 1, ...lastModified });
      expect(image !== undefined && "_meta" in image).toBe(has("2025-06-18"));
    },
  },
];
