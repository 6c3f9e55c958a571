// Who is compared, and where its programs are.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { eras } from "./wire.mjs";

const peersFolder = new URL("peers/", import.meta.url);
export const peerVersions = JSON.parse(readFileSync(new URL("package.json", peersFolder), "utf8")).dependencies;

/** Packages whose install is weighed, with what the documentation has one install beside them. */
const pinned = (...names) => names.map((name) => `${name}@${peerVersions[name]}`);

/** @param folder where the programs that use packed Parlance are */
export function ours(folder) {
  const at = program(folder);
  return [
    {
      name: "bare",
      eras,
      server: at("bare-server"),
      client: at("bare-client"),
      imports: at("bare-imports"),
      httpServer: at("bare-http-server"),
      httpClient: at("bare-http-client"),
      fetch: at("bare-fetch"),
    },
    {
      name: "parlance",
      eras,
      server: at("parlance-server"),
      plainServer: at("parlance-plain-server"),
      client: at("parlance-client"),
      imports: at("parlance-imports"),
      httpServer: at("parlance-http-server"),
      httpClient: at("parlance-http-client"),
      fetch: at("parlance-fetch"),
    },
  ];
}

/** The bare script once more, without its slow half: how far one could go. */
export const raw = (folder) => ({ name: "bare-raw", eras, server: program(folder)("bare-raw-server") });

export function peers() {
  const at = program(fileURLToPath(peersFolder));
  const files = (name) => ({ name, server: at(`${name}-server`), imports: at(`${name}-imports`) });
  return [
    {
      ...files("sdk-v1"),
      eras: ["handshake"],
      client: at("sdk-v1-client"),
      install: {
        server: pinned("@modelcontextprotocol/sdk", "zod"),
        client: pinned("@modelcontextprotocol/sdk", "zod"),
      },
    },
    {
      ...files("sdk-v2"),
      eras,
      client: at("sdk-v2-client"),
      install: {
        server: pinned("@modelcontextprotocol/server", "zod"),
        client: pinned("@modelcontextprotocol/client"),
      },
    },
    {
      ...files("tmcp"),
      eras: ["handshake"],
      install: { server: pinned("tmcp", "@tmcp/transport-stdio", "@tmcp/adapter-zod", "zod") },
    },
  ];
}

const program = (folder) => (name) => `${folder.replace(/\/$/, "")}/${name}.mjs`;
