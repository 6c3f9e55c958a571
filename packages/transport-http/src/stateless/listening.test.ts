import { type ClientReport, connectClient, listen, stateless } from "@parlance/client";
import { expect, test } from "vitest";
import { discovered, event, openEvents, result, scripted } from "../client/scripted.fixture.js";
import { http } from "../dial.js";

const filter = { toolsListChanged: true } as const;
const tag = (id: unknown): object => ({ _meta: { "io.modelcontextprotocol/subscriptionId": id } });
const say = (method: string, params: object): string => event({ jsonrpc: "2.0", method, params });

test('SUB-09: "on HTTP the client also checks the id": what names another stream reaches neither', async () => {
  const streams: { readonly id: unknown; readonly send: (text: string) => void }[] = [];
  const server = scripted((seen) => {
    const { id, method } = seen.message;
    if (method !== "subscriptions/listen") return result(seen, discovered);
    const stream = openEvents(say("notifications/subscriptions/acknowledged", { ...tag(id), notifications: filter }));
    streams.push({ id, send: stream.send });
    return stream.response;
  });
  const reports: ClientReport[] = [];
  const client = await connectClient({
    dial: http(server.url, { fetch: server.fetch }),
    info: { name: "test", version: "1" },
    eras: [stateless()],
    report: (report) => reports.push(report),
  });
  const heard: string[] = [];
  const first = await listen(client, filter, ({ type }) => heard.push(`first ${type}`));
  const second = await listen(client, filter, ({ type }) => heard.push(`second ${type}`));
  const [one, two] = streams;
  two?.send(say("notifications/tools/list_changed", tag(one?.id)));
  two?.send(say("notifications/cancelled", { requestId: one?.id }));
  two?.send(say("notifications/tools/list_changed", tag(two.id)));
  await expect.poll(() => heard).toContain("second tools");
  one?.send(say("notifications/tools/list_changed", tag(one.id)));
  await expect.poll(() => heard).toContain("first tools");
  expect(heard).toEqual(["second tools", "first tools"]);
  expect([first.honored, second.honored]).toEqual([filter, filter]);
  const strays = reports.flatMap((report) => (report.kind === "stray_notification" ? [report] : []));
  expect(strays.map(({ id, notification }) => [id, notification.method])).toEqual([
    [two?.id, "notifications/tools/list_changed"],
    [two?.id, "notifications/cancelled"],
  ]);
  await client.close();
});
