import { jsonSchema } from "@parlance/json-schema";
import { type AnyTool, clientWith, PublicError, tool } from "@parlance/tool-registry";
import { pixel } from "./pixel.js";

const silence = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";
const image = { type: "image", data: pixel, mimeType: "image/png" } as const;
const embedded = {
  type: "resource",
  resource: { uri: "test://embedded-resource", mimeType: "text/plain", text: "The text of an embedded resource." },
} as const;

const stepMs = 50;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A schema with the keywords that a list must not lose. */
const everyKeyword = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

/** What the suite calls by name, of the features that are here. */
export const tools: readonly AnyTool[] = [
  tool({ name: "a_ping", description: "Says that the server is there", run: () => "pong" }),
  tool({
    name: "test_simple_text",
    description: "Returns one text",
    run: () => "This is a simple text response for testing.",
  }),
  tool({ name: "test_image_content", description: "Returns an image", run: () => image }),
  tool({
    name: "test_audio_content",
    description: "Returns a sound",
    run: () => ({ type: "audio", data: silence, mimeType: "audio/wav" }) as const,
  }),
  tool({ name: "test_embedded_resource", description: "Returns a resource", run: () => embedded }),
  tool({
    name: "test_multiple_content_types",
    description: "Returns a text, an image and a resource",
    run: () => [{ type: "text", text: "Several kinds of content:" } as const, image, embedded],
  }),
  tool({
    name: "test_error_handling",
    description: "Fails, and says why",
    run: () => {
      throw new PublicError("This tool always fails");
    },
  }),
  tool({
    name: "test_tool_with_progress",
    description: "Reports progress three times",
    run: async (_input, call) => {
      for (const done of [0, 50, 100]) {
        await call.progress(done, 100);
        await pause(stepMs);
      }
      return "done";
    },
  }),
  tool({
    name: "test_tool_with_logging",
    description: "Logs three times",
    run: async (_input, call) => {
      for (const message of ["started", "processing", "completed"]) {
        await call.log("info", `The tool ${message}`);
        await pause(stepMs);
      }
      return "done";
    },
  }),
  tool({
    name: "test_logging_tool",
    description: "Logs, for those who asked to hear it",
    run: async (_input, call) => {
      await call.log("info", "The tool was called");
      return "done";
    },
  }),
  tool({
    name: "test_reconnection",
    description: "Lets go of its stream before it answers",
    run: async (_input, call) => {
      call.release?.(stepMs);
      await pause(2 * stepMs);
      return "done after the stream was let go of";
    },
  }),
  tool({
    name: "test_missing_capability",
    description: "Needs a client that can sample",
    needs: clientWith({ sampling: {} }),
    run: () => "the client can sample",
  }),
  tool({
    name: "json_schema_2020_12_tool",
    description: "Has a schema with many keywords",
    input: jsonSchema(everyKeyword),
    run: () => "done",
  }),
  tool({
    name: "test_x_mcp_header",
    description: "Has an argument that a header repeats",
    input: jsonSchema<{ region: string }>({
      type: "object",
      properties: { region: { type: "string", "x-mcp-header": "Region" } },
      required: ["region"],
    }),
    run: ({ region }) => `The region is ${region}`,
  }),
];
