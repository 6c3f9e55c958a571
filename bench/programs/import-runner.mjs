// Imports one module and tells what that cost.
const before = process.cpuUsage();
await import(process.argv[2]);
const { user, system } = process.cpuUsage(before);
process.send({ cpuMicros: user + system });
process.disconnect();
