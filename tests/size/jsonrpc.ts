// All of it: whoever builds on jsonrpc pays no more than this.
import * as jsonrpc from "@parlance/jsonrpc";

process.stdout.write(Object.keys(jsonrpc).join("\n"));
