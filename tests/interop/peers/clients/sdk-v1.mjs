// The official client of the handshake era, with the face that the behaviors are tried through.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ErrorCode,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { answer, answers, capabilities, heard, readingOf, requestOptions } from "./face.mjs";

/** `served` is a program to start, or the address of one that runs; `mode` is "sse" for the older HTTP+SSE. */
export async function open(served, mode) {
  const client = new Client({ name: "sdk-v1", version: "1.0.0" }, { capabilities });
  client.setRequestHandler(ElicitRequestSchema, answers.form);
  client.setRequestHandler(CreateMessageRequestSchema, answers.model);
  client.setRequestHandler(ListRootsRequestSchema, answers.roots);
  const Transport = mode === "sse" ? SSEClientTransport : StreamableHTTPClientTransport;
  const transport = served.url
    ? new Transport(new URL(served.url))
    : new StdioClientTransport({ ...served, stderr: "ignore" });
  const setProtocolVersion = transport.setProtocolVersion?.bind(transport);
  let version;
  transport.setProtocolVersion = (agreed) => {
    version = agreed;
    setProtocolVersion?.(agreed);
  };
  await client.connect(transport);
  return {
    era: "handshake",
    version,
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args, options) =>
      answer(await client.callTool({ name, arguments: args }, undefined, requestOptions(options))),
    // an abort has the same code, without this
    isTimeout: (error) => error.code === ErrorCode.RequestTimeout && error.data?.timeout !== undefined,
    reading: readingOf(
      client,
      (hear) => client.setNotificationHandler(LoggingMessageNotificationSchema, hear),
      () => client.setLoggingLevel("debug").then(() => ({})),
    ),
    answers: true,
    heard: (uri, act) =>
      heard(
        uri,
        act,
        (hear) => client.setNotificationHandler(ResourceUpdatedNotificationSchema, hear),
        async () => {
          await client.subscribeResource({ uri });
          return () => client.unsubscribeResource({ uri });
        },
      ),
    close: async () => {
      await transport.terminateSession?.();
      await client.close();
    },
  };
}
