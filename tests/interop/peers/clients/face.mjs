/** What a call came to: its text, and whether the tool failed. */
export function answer({ content, isError = false }) {
  return { text: content.map((block) => block.text ?? "").join("\n"), isError };
}

/** What both official clients can do besides calling tools, in the same words; `logs` hears the levels of what is logged. */
export function readingOf(client, logs, ask) {
  return {
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    read: async (uri) => (await client.readResource({ uri })).contents.map(({ text = "" }) => text).join("\n"),
    prompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    prompt: async (name, args) =>
      (await client.getPrompt({ name, arguments: args })).messages.map(({ content }) => content.text ?? "").join("\n"),
    complete: async (name, argument, typed) => {
      const params = { ref: { type: "ref/prompt", name }, argument: { name: argument, value: typed } };
      return (await client.complete(params)).completion.values;
    },
    logged: async (name, args) => {
      const levels = [];
      logs(({ params }) => levels.push(params.level));
      const how = await ask();
      await client.callTool({ name, arguments: args, ...how });
      return levels;
    },
  };
}

/** What both answer when they are asked. */
export const answers = {
  form: ({ params }) => {
    const consents = params.url === "https://example.com/consent";
    return params.mode === "url"
      ? { action: consents ? "accept" : "decline" }
      : { action: "accept", content: { name: "Ada" } };
  },
  model: () => ({ role: "assistant", content: { type: "text", text: "words of a model" }, model: "none" }),
  roots: () => ({ roots: [{ uri: "file:///projects/ada", name: "home" }] }),
};
export const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

/** Settles when `act` was heard of, after `hears` took a handler of updates and `listens` began. */
export async function heard(uri, act, hears, listens) {
  const told = new Promise((resolve) => hears(({ params }) => params.uri === uri && resolve()));
  const end = await listens();
  await act();
  await told;
  await end();
}

/** Both official clients have the same words for the options of a call. */
export function requestOptions({ signal, timeoutMs, onProgress } = {}) {
  const onprogress = onProgress && (({ progress, total }) => onProgress(progress, total));
  return { signal, timeout: timeoutMs, onprogress, resetTimeoutOnProgress: true };
}
