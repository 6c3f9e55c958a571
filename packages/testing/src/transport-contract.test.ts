import { memoryPair } from "@parlance/jsonrpc";
import { describe, test } from "vitest";
import { transportContract } from "./transport-contract.js";

describe("the memory pair", () => {
  transportContract({
    test,
    open: () => {
      const [near, far] = memoryPair();
      return { near, far };
    },
  });
});
