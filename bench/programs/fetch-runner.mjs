// Calls one `fetch` handler within this process, as often as it is told, and tells what that cost.
const [module, head, tail, text, headers] = process.argv.slice(2);
const { handle } = await import(module);
const init = { method: "POST", headers: JSON.parse(headers) };
let lastId = 0;

process.on("message", async (message) => {
  if (message.forMs !== undefined) process.send(await run(message.forMs));
});
process.channel.ref();
process.send("ready");

async function run(forMs) {
  const stopAt = performance.now() + forMs;
  const before = process.cpuUsage();
  let calls = 0;
  const lane = async () => {
    while (performance.now() < stopAt) {
      const request = new Request("http://127.0.0.1:3000/mcp", { ...init, body: `${head}${++lastId}${tail}` });
      const { result } = JSON.parse(await (await handle(request)).text());
      if (result.content[0].text !== text) throw new Error("a wrong answer");
      calls++;
    }
  };
  await Promise.all(Array.from({ length: 32 }, lane));
  const { user, system } = process.cpuUsage(before);
  return { calls, cpuMicros: user + system };
}
