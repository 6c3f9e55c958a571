// Each file of tests/size is a program; what it weighs is gzipped, minified, with everything it imports.
// A limit is what was reached, rounded up: it may fall, and must not rise unnoticed.
const limits = {
  jsonrpc: "2.25 KiB",
  "jsonrpc-connection": "4.65 KiB",
  "json-schema": "9.5 KiB",
  "stdio-client": "16.6 KiB",
  "http-client": "19.75 KiB",
  "http-server": "24.9 KiB",
  "stdio-server": "17 KiB",
  "stdio-server-validated": "25.75 KiB",
};

export default Object.entries(limits).map(([name, limit]) => ({
  name,
  limit,
  path: `tests/size/${name}.ts`,
  gzip: true,
  modifyEsbuildConfig: (config) => ({ ...config, platform: "node", format: "esm", target: "node20" }),
}));
