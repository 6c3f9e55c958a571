import { answer, type JsonObject } from "@parlance/jsonrpc";
import { expect, test } from "vitest";
import { type Call, createPrompts, createResources, createServer, prompt, questions, stateless } from "../index.js";
import { everything, type Reply } from "./asking.fixture.js";

const form = { name: { type: "string" } } as const;
const server = createServer({
  info: { name: "asking", version: "1.0.0" },
  eras: [stateless()],
  features: [
    questions(),
    createResources([
      {
        uri: "test://greeting",
        name: "greeting",
        cache: { ttlMs: 1_000, scope: "private" },
        read: async (call: Call) => `Hello ${(await call.elicit("name", "Who are you?", form)).content?.name}`,
      },
    ]),
    createPrompts([
      prompt({
        name: "greet",
        get: async (_, call) => `Hello ${(await call.elicit("name", "Who are you?", form)).content?.name}`,
      }),
    ]),
  ],
});

async function ask(method: string, params: JsonObject): Promise<Reply> {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": everything,
  };
  const request = { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } };
  return JSON.parse((await answer(server, JSON.stringify(request))) ?? "null");
}

const inputResponses = { name: { action: "accept", content: { name: "Ada" } } };
const asked = { name: { method: "elicitation/create", params: { message: "Who are you?" } } };

test("RSC-26, RES-11: reading a resource may ask first, and the question carries no hint", async () => {
  const { result } = await ask("resources/read", { uri: "test://greeting" });
  expect(result).toMatchObject({ resultType: "input_required", inputRequests: asked });
  expect(result).not.toHaveProperty("ttlMs");
  const retried = await ask("resources/read", { uri: "test://greeting", inputResponses });
  expect(retried.result).toMatchObject({ resultType: "complete", contents: [{ text: "Hello Ada" }] });
});

test("PRM-14: getting a prompt may ask first", async () => {
  const { result } = await ask("prompts/get", { name: "greet" });
  expect(result).toMatchObject({ resultType: "input_required", inputRequests: asked });
  const retried = await ask("prompts/get", { name: "greet", inputResponses });
  expect(retried.result).toMatchObject({ messages: [{ role: "user", content: { text: "Hello Ada" } }] });
});
