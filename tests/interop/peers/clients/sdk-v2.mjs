// The official client of both eras; `mode` is its own word for how the era is found.
import { Client, SdkErrorCode, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { answer, answers, capabilities, heard, readingOf, requestOptions } from "./face.mjs";

/** `served` is a program to start, or the address of one that runs. */
export async function open(served, mode) {
  const client = new Client({ name: "sdk-v2", version: "1.0.0" }, { capabilities, versionNegotiation: { mode } });
  client.setRequestHandler("elicitation/create", answers.form);
  client.setRequestHandler("sampling/createMessage", answers.model);
  client.setRequestHandler("roots/list", answers.roots);
  const transport = served.url
    ? new StreamableHTTPClientTransport(new URL(served.url))
    : new StdioClientTransport({ ...served, stderr: "ignore" });
  await client.connect(transport);
  return {
    era: client.getProtocolEra() === "modern" ? "stateless" : "handshake",
    version: client.getNegotiatedProtocolVersion(),
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args, options) =>
      answer(await client.callTool({ name, arguments: args }, requestOptions(options))),
    // an abort has the same code, without this
    isTimeout: (error) => error.code === SdkErrorCode.RequestTimeout && error.data?.timeout !== undefined,
    reading: readingOf(
      client,
      (hear) => client.setNotificationHandler("notifications/message", hear),
      async () => {
        if (client.getProtocolEra() === "modern") return { _meta: { "io.modelcontextprotocol/logLevel": "debug" } };
        await client.setLoggingLevel("debug");
        return {};
      },
    ),
    answers: true,
    heard: (uri, act) =>
      heard(
        uri,
        act,
        (hear) => client.setNotificationHandler("notifications/resources/updated", hear),
        async () => {
          if (client.getProtocolEra() === "modern") {
            const subscription = await client.listen({ resourceSubscriptions: [uri] });
            return () => subscription.close();
          }
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
