// Runs one client against a server of its own, or one at a URL, as often as it is told, and tells what that cost this process.
const [module, era, server] = process.argv.slice(2);
const { connect } = await import(module);
const client = await connect({ era, command: process.execPath, args: [server], url: server });
const text = "the quick brown fox jumps over the lazy dog ".repeat(3).slice(0, 100);
const lanes = 64;

process.on("message", async (message) => {
  if (message.forMs !== undefined) process.send(await run(message.forMs));
  if (message === "close") {
    await client.close();
    process.exit(0);
  }
});
process.channel.ref();
process.send("ready");

async function run(forMs) {
  const stopAt = performance.now() + forMs;
  const before = process.cpuUsage();
  let calls = 0;
  const lane = async () => {
    while (performance.now() < stopAt) {
      if ((await client.call(text)) !== text) throw new Error("a wrong answer");
      calls++;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const { user, system } = process.cpuUsage(before);
  return { calls, cpuMicros: user + system };
}
