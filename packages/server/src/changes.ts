import type { ChangeBus } from "@parlance/protocol-versions";

/**
 * Announces what changed to every connection that wants to know. After the server is closed it announces nothing.
 * @stable
 */
export interface Changes {
  /** The list of tools. */
  tools(): void;
  /** The list of prompts. */
  prompts(): void;
  /** The list of resources. */
  resources(): void;
  /** The contents of one resource. */
  resource(uri: string): void;
}

/**
 * The words in which a server's author announces changes: `changesOf(server).tools()`.
 * @stable
 */
export function changesOf({ changes: bus }: { readonly changes: ChangeBus }): Changes {
  return {
    tools: () => bus.publish({ type: "tools" }),
    prompts: () => bus.publish({ type: "prompts" }),
    resources: () => bus.publish({ type: "resources" }),
    resource: (uri) => bus.publish({ type: "resource", uri }),
  };
}
