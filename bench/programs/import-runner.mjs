// Imports one module and tells how many microseconds of CPU that cost.
const before = process.cpuUsage();
await import(process.argv[2]);
const { user, system } = process.cpuUsage(before);
process.stdout.write(String(user + system));
