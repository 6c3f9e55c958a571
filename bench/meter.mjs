// Preloaded into every process that is measured: tells, when asked, what the operating system accounts to it.
process.on("message", (message) => {
  if (message === "end") process.exit(0);
  if (message !== "usage") return;
  const { user, system } = process.cpuUsage();
  process.send(user + system);
});
process.channel.unref();
