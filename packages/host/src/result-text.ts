import type { CallToolResult } from "@parlance/protocol-versions";

/** What is said of a failure that nothing is said of. */
export const unsaid = "the tool failed and did not say why";

type Block = CallToolResult["content"][number];

/** What a result says, for a model that reads text: its texts, and a word for whatever is none. */
export function resultText({ content, isError, structuredContent }: CallToolResult): string {
  const text = content.map(blockText).join("\n");
  if (text !== "") return text;
  if (isError === true) return unsaid;
  return structuredContent === undefined ? "" : JSON.stringify(structuredContent);
}

/** The text that a block is or holds; nothing where it has none. */
export function textIn(block: Block): string | undefined {
  if (block.type === "text") return block.text;
  return block.type === "resource" ? block.resource.text : undefined;
}

function blockText(block: Block): string {
  const text = textIn(block);
  if (text !== undefined) return text;
  switch (block.type) {
    case "image":
    case "audio":
      return `[${block.type} ${block.mimeType}, ${bytesOf(block.data)} bytes]`;
    case "resource":
      return `[resource ${block.resource.uri}, ${bytesOf(block.resource.blob ?? "")} bytes]`;
    case "resource_link":
      return `[resource ${block.name}: ${block.uri}]`;
    default:
      // a newer revision may know more
      return `[${block.type}]`;
  }
}

function bytesOf(base64: string): number {
  return Math.floor((base64.replace(/=+$/, "").length * 3) / 4);
}
