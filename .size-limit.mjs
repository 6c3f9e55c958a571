// Each file of tests/size is a program; what it weighs is gzipped, minified, with everything it imports.
// A limit is what was reached, rounded up: it may fall, and must not rise unnoticed.
const limits = {
  jsonrpc: "2 KiB",
  "jsonrpc-connection": "4.1 KiB",
  "json-schema": "8 kB",
  "stdio-client": "12.25 KiB",
  "http-client": "16.5 KiB",
  "http-server": "18.25 KiB",
  "stdio-server": "12.25 KiB",
  "stdio-server-validated": "19.5 KiB",
};

export default Object.entries(limits).map(([name, limit]) => ({
  name,
  limit,
  path: `tests/size/${name}.ts`,
  gzip: true,
  modifyEsbuildConfig: (config) => ({ ...config, platform: "node", format: "esm", target: "node20" }),
}));
