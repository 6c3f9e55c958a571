// Preloaded into every process that is measured: tells, when asked, what the operating system accounts to it, and its heap.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

process.on("message", (message) => {
  if (message === "end") process.exit(0);
  if (message === "heap") {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc");
    for (let times = 0; times < 3; times++) collect();
    process.send(process.memoryUsage().heapUsed);
  }
  if (message !== "usage") return;
  const { user, system } = process.cpuUsage();
  process.send(user + system);
});
process.channel.unref();
