import { context, metrics, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { connectClient, meta } from "@parlance/client";
import { memoryPair, over, RpcError, serve } from "@parlance/jsonrpc";
import { createServer, type FeatureSet } from "@parlance/server";
import { createToolRegistry, PublicError, tool } from "@parlance/tool-registry";
import { afterEach, beforeEach, expect, test } from "vitest";
import { traceDial, traceFeatures } from "./index.js";

const info = { name: "test", version: "1.0.0" };
const spans = new InMemorySpanExporter();
const measured = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const meters = new MeterProvider({
  readers: [new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 2 ** 31 - 1 })],
});

beforeEach(() => {
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }));
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  metrics.setGlobalMeterProvider(meters);
});

afterEach(() => {
  for (const api of [trace, propagation, context, metrics]) api.disable();
  spans.reset();
  measured.reset();
});

const tools = createToolRegistry([
  tool({
    name: "dice",
    description: "Rolls a die",
    run: () => {
      trace.getTracer("dice").startSpan("rolling").end();
      return "4";
    },
  }),
  tool({
    name: "broken",
    description: "Fails",
    run: () => {
      throw new PublicError("it is broken");
    },
  }),
]);

const odd: FeatureSet = {
  capabilities: {},
  methods: {
    "odd/fail": () => {
      throw new RpcError(1001, "odd");
    },
    "odd/meta": (call) => ({ type: "complete", result: { seen: call.meta } }),
    "odd/read": () => ({ type: "refused", reason: "not_found", message: "no such thing" }),
  },
};

async function connected(options = {}) {
  const server = createServer({ info, features: [tools, odd], middleware: [traceFeatures(options)] });
  const [near, far] = memoryPair();
  await serve(far, server);
  const client = await connectClient({ info, dial: traceDial(over(near), options) });
  spans.reset();
  return client;
}

function byKind(kind: SpanKind): readonly ReadableSpan[] {
  return spans.getFinishedSpans().filter((span) => span.kind === kind);
}

test("one trace goes from the client's caller through the server into what the tool does", async () => {
  const client = await connected();
  await trace.getTracer("test").startActiveSpan("agent", async (agent) => {
    await client.callTool("dice");
    agent.end();
  });
  const [rolling, served, sent, agent] = spans.getFinishedSpans();
  expect([rolling?.name, served?.name, sent?.name]).toEqual(["rolling", "tools/call dice", "tools/call dice"]);
  expect([served?.kind, sent?.kind]).toEqual([SpanKind.SERVER, SpanKind.CLIENT]);
  expect(rolling?.parentSpanContext?.spanId).toBe(served?.spanContext().spanId);
  expect(served?.parentSpanContext?.spanId).toBe(sent?.spanContext().spanId);
  expect(sent?.parentSpanContext?.spanId).toBe(agent?.spanContext().spanId);
  expect(new Set([rolling, served, sent, agent].map((span) => span?.spanContext().traceId)).size).toBe(1);
  expect(served?.attributes).toEqual({
    "mcp.method.name": "tools/call",
    "mcp.protocol.version": client.server.version,
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "dice",
  });
  expect(sent?.attributes).toMatchObject({ "network.transport": "pipe", "gen_ai.tool.name": "dice" });
  expect(sent?.status.code).toBe(SpanStatusCode.UNSET);
  await client.close();
});

test("a tool's failure, an error and a refusal are told by error.type, without their texts", async () => {
  const client = await connected();
  await client.callTool("broken");
  await expect(client.request("odd/fail")).rejects.toThrow("odd");
  await expect(client.request("odd/read", { uri: "a:b" })).rejects.toThrow("no such thing");
  const told = [SpanKind.SERVER, SpanKind.CLIENT].map((kind) =>
    byKind(kind).map(({ attributes, status }) => [attributes["error.type"], status]),
  );
  const error = { code: SpanStatusCode.ERROR };
  expect(told[0]).toEqual([
    ["tool_error", error],
    ["1001", error],
    ["not_found", error],
  ]);
  expect(told[1]).toEqual([
    ["tool_error", error],
    ["1001", error],
    [expect.stringMatching(/^-32/), error],
  ]);
  expect(byKind(SpanKind.SERVER)[2]).toMatchObject({ name: "odd/read", attributes: { "mcp.resource.uri": "a:b" } });
  await client.close();
});

test("arguments and results are recorded only on request", async () => {
  for (const content of [false, true]) {
    const client = await connected({ content });
    await client.callTool("dice", {});
    for (const { attributes } of [...byKind(SpanKind.SERVER), ...byKind(SpanKind.CLIENT)]) {
      expect("gen_ai.tool.call.arguments" in attributes).toBe(content);
      expect("gen_ai.tool.call.result" in attributes).toBe(content);
    }
    await client.close();
  }
});

test("a request with a traceparent of its own continues that trace, and links the one around it", async () => {
  const client = await connected();
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const around = await trace.getTracer("test").startActiveSpan("around", async (span) => {
    await client.callTool("dice", {}, { meta: meta({ traceparent }) });
    span.end();
    return span.spanContext();
  });
  const [sent] = byKind(SpanKind.CLIENT);
  expect(sent?.spanContext().traceId).toBe("0af7651916cd43dd8448eb211c80319c");
  expect(sent?.parentSpanContext?.spanId).toBe("b7ad6b7169203331");
  expect(sent?.links.map((link) => link.context.spanId)).toEqual([around.spanId]);
  await client.close();
});

test("durations are measured in seconds on both sides, by tool and without URIs", async () => {
  const client = await connected({ attributes: { "deployment.environment.name": "test" } });
  await client.callTool("dice");
  await expect(client.request("odd/read", { uri: "a:b" })).rejects.toThrow();
  await meters.forceFlush();
  const all = measured.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  for (const name of ["mcp.server.operation.duration", "mcp.client.operation.duration"]) {
    const metric = all.find(({ descriptor }) => descriptor.name === name);
    expect(metric?.descriptor.unit).toBe("s");
    const attributes = metric?.dataPoints.map((point) => point.attributes) ?? [];
    expect(attributes).toContainEqual(
      expect.objectContaining({ "gen_ai.tool.name": "dice", "deployment.environment.name": "test" }),
    );
    expect(attributes.some((set) => "mcp.resource.uri" in set)).toBe(false);
  }
  await client.close();
});

test("without an SDK nothing is written into _meta and everything works", async () => {
  for (const api of [trace, propagation, context, metrics]) api.disable();
  const client = await connected();
  expect((await client.callTool("dice")).content).toEqual([{ type: "text", text: "4" }]);
  const { seen } = (await client.request("odd/meta")) as { seen: object };
  expect(Object.keys(seen)).not.toContain("traceparent");
  expect(spans.getFinishedSpans()).toEqual([]);
  await client.close();
});
