// The official client of both eras; `mode` is its own word for how the era is found.
import { Client, SdkErrorCode } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { answer, requestOptions } from "./face.mjs";

export async function open(program, mode) {
  const client = new Client({ name: "sdk-v2", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport({ ...program, stderr: "ignore" }));
  return {
    era: client.getProtocolEra() === "modern" ? "stateless" : "handshake",
    version: client.getNegotiatedProtocolVersion(),
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args, options) =>
      answer(await client.callTool({ name, arguments: args }, requestOptions(options))),
    // an abort has the same code, without this
    isTimeout: (error) => error.code === SdkErrorCode.RequestTimeout && error.data?.timeout !== undefined,
    close: () => client.close(),
  };
}
