// Puts a client behind the messages of a parent process: one that needs another Node than the parent.
const { open } = await import(`./${process.argv[2]}.mjs`);
const aborts = new Map();
let client;

const acts = {
  open: async ({ url }) => {
    client = await open({ url });
    return { era: client.era, version: client.version };
  },
  list: () => client.list(),
  call: async ({ id, name, args, timeoutMs }) => {
    const abort = new AbortController();
    aborts.set(id, abort);
    const onProgress = (done, total) => process.send({ id, kind: "progress", done, total });
    try {
      return await client.call(name, args, { signal: abort.signal, timeoutMs, onProgress });
    } finally {
      aborts.delete(id);
    }
  },
  close: () => client.close(),
};

process.on("message", async ({ act, ...asked }) => {
  const { id } = asked;
  if (act === "abort") return aborts.get(id)?.abort(new Error("not wanted any more"));
  try {
    process.send({ id, kind: "done", value: await acts[act](asked) });
  } catch (error) {
    process.send({ id, kind: "failed", message: String(error), isTimeout: client?.isTimeout(error) ?? false });
  }
});
