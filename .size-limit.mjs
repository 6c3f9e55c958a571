// Each file of tests/size is a program; what it weighs is gzipped, minified, with everything it imports.
const limits = {
  jsonrpc: "3 kB",
  "jsonrpc-connection": "4.25 kB",
  "json-schema": "8 kB",
  "stdio-client": "13 kB",
  "stdio-server": "14 kB",
  "stdio-server-validated": "22 kB",
};

export default Object.entries(limits).map(([name, limit]) => ({
  name,
  limit,
  path: `tests/size/${name}.ts`,
  gzip: true,
  modifyEsbuildConfig: (config) => ({ ...config, platform: "node", format: "esm", target: "node20" }),
}));
