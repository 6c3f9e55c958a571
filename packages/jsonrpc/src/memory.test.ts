import { expect, test } from "vitest";
import { connect, memoryPair, over } from "./index.js";

test("two peers joined in memory ask each other", async () => {
  const [near, far] = memoryPair();
  await connect(far, {
    request: async ({ params }, { request }) => ({ told: params, heard: await request?.("who", {}) }),
  });
  const client = await over(near)({ request: () => ({ name: "near" }) });
  await expect(client.request("tell", { a: 1 })).resolves.toEqual({ told: { a: 1 }, heard: { name: "near" } });
  await client.close();
  await expect(client.request("tell", {})).rejects.toMatchObject({ code: "CLOSED" });
});
