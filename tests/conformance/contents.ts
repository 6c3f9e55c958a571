import { type AnyPrompt, type AnyResource, prompt, resourceTemplate } from "@parlance/server";
import { pixel } from "./pixel.js";

const image = { type: "image", data: pixel, mimeType: "image/png" } as const;

/** The resources that the suite reads by their URIs. The first that is listed is one of them. */
export const resources: readonly AnyResource[] = [
  {
    uri: "test://static-text",
    name: "Static text",
    description: "A text that does not change",
    mimeType: "text/plain",
    read: () => "The text of a static resource.",
  },
  {
    uri: "test://static-binary",
    name: "Static image",
    description: "Bytes that do not change",
    mimeType: "image/png",
    read: () => ({ blob: pixel }),
  },
  {
    uri: "test://watched-resource",
    name: "Watched resource",
    description: "May be listened to",
    mimeType: "text/plain",
    read: () => "The text of a watched resource.",
  },
  resourceTemplate({
    uriTemplate: "test://template/{id}/data",
    name: "Data by id",
    description: "The data of any id",
    mimeType: "application/json",
    read: ({ id }) => JSON.stringify({ id, data: `The data of ${id}` }),
  }),
];

/** The prompts that the suite gets by their names. */
export const prompts: readonly AnyPrompt[] = [
  prompt({
    name: "test_simple_prompt",
    description: "One message",
    get: () => "This is a simple prompt for testing.",
  }),
  prompt({
    name: "test_prompt_with_arguments",
    description: "A message with two arguments in it",
    arguments: {
      arg1: { description: "The first", required: true, complete: ["testing", "tested", "other"] },
      arg2: { description: "The second", required: true },
    },
    get: ({ arg1, arg2 }) => `The arguments are ${arg1} and ${arg2}.`,
  }),
  prompt({
    name: "test_prompt_with_embedded_resource",
    description: "A message with a resource in it",
    arguments: { resourceUri: { description: "Which resource", required: true } },
    get: ({ resourceUri: uri }) => [
      { type: "resource", resource: { uri, mimeType: "text/plain", text: "The text of an embedded resource." } },
      "Read the resource above.",
    ],
  }),
  prompt({
    name: "test_prompt_with_image",
    description: "A message with an image in it",
    get: () => [image, "Look at the image above."],
  }),
];
