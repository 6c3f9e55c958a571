import {
  type Attributes,
  type Context,
  context,
  type Histogram,
  type MeterProvider,
  metrics,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { AccessError, type JsonObject, LocalError, RpcError } from "@parlance/jsonrpc";

/**
 * What is recorded of calls beyond the conventions.
 * @experimental
 */
export interface TraceOptions {
  /** Attributes of every span and measurement, such as `network.transport` and `server.address`. */
  readonly attributes?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Whether spans hold what tools were called with and what they answered, as JSON. Default `false`: it may be secret. */
  readonly content?: boolean | undefined;
}

/** One request as it is traced, on the side that sends it or on the side that answers. */
export interface Operation {
  readonly side: "client" | "server";
  readonly method: string;
  readonly params: JsonObject;
  /** What else is known of it. */
  readonly attributes: Attributes;
  /** The context that it belongs to. */
  readonly parent: Context;
}

/** What a request came to: nothing, or the value of `error.type` with the code of the answer. */
export interface Fault {
  readonly type: string;
  readonly code?: number | undefined;
  readonly cancelled?: boolean | undefined;
}

/** A request that is under way. */
export interface Running {
  /** The context of what is done for it. */
  readonly context: Context;
  end(result: JsonObject | undefined, fault: Fault | undefined): void;
}

const scope = "@parlance/telemetry";
const msInSecond = 1000;
/** The buckets of the convention, in seconds. */
const durationBuckets = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
const kinds = { client: SpanKind.CLIENT, server: SpanKind.SERVER };

/** Begins the span and the measurement of a request. */
export function begin(operation: Operation, options: TraceOptions): Running {
  const { side, method, params, parent } = operation;
  const startedMs = performance.now();
  const target = targetOf(method, params);
  const measured: Attributes = { "mcp.method.name": method, ...target, ...options.attributes, ...operation.attributes };
  const span = trace
    .getTracer(scope)
    .startSpan(spanName(method, params), { kind: kinds[side], attributes: measured, links: linksOf(parent) }, parent);
  if (span.isRecording()) describe(span, method, params, options);
  return {
    context: trace.setSpan(parent, span),
    end: (result, fault) => {
      const ended: Attributes = {};
      if (fault !== undefined && fault.cancelled !== true) ended["error.type"] = fault.type;
      if (fault?.code !== undefined) ended["rpc.response.status_code"] = String(fault.code);
      span.setAttributes(ended);
      if ("error.type" in ended) span.setStatus({ code: SpanStatusCode.ERROR });
      if (options.content === true && result !== undefined && method === "tools/call" && span.isRecording()) {
        span.setAttribute("gen_ai.tool.call.result", JSON.stringify(result));
      }
      span.end();
      durations(side).record((performance.now() - startedMs) / msInSecond, { ...measured, ...ended });
    },
  };
}

/** The context that a message carries in its `_meta`, over the one that is active. */
export function contextOf(meta: unknown): Context {
  const active = context.active();
  return typeof meta === "object" && meta !== null ? propagation.extract(active, meta, textsOf) : active;
}

/** What an answer that is an error, or a failure on the way, is called. */
export function faultOf(error: unknown): Fault {
  if (error instanceof RpcError) return { type: String(error.code), code: error.code };
  if (error instanceof AccessError || error instanceof LocalError) return { type: error.code };
  if (error instanceof Error && error.name === "AbortError") return { type: error.name, cancelled: true };
  return { type: error instanceof Error ? error.name : typeof error };
}

/** `_meta` is the carrier; what is no text in it is not looked at. */
const textsOf = {
  keys: (carrier: object): string[] => Object.keys(carrier),
  get: (carrier: object, key: string): string | undefined => {
    const value: unknown = Object.hasOwn(carrier, key) ? Reflect.get(carrier, key) : undefined;
    return typeof value === "string" ? value : undefined;
  },
};

/** A URI is no name: there may be no end of them. */
function spanName(method: string, params: JsonObject): string {
  const name = params["name"];
  return typeof name === "string" ? `${method} ${name}` : method;
}

function targetOf(method: string, params: JsonObject): Attributes {
  const name = params["name"];
  if (typeof name !== "string") return {};
  if (method === "tools/call") return { "gen_ai.tool.name": name, "gen_ai.operation.name": "execute_tool" };
  return method === "prompts/get" ? { "gen_ai.prompt.name": name } : {};
}

function describe(span: Span, method: string, params: JsonObject, options: TraceOptions): void {
  const { uri, arguments: args } = params;
  if (typeof uri === "string") span.setAttribute("mcp.resource.uri", uri);
  if (options.content === true && method === "tools/call" && args !== undefined) {
    span.setAttribute("gen_ai.tool.call.arguments", JSON.stringify(args));
  }
}

/** What was going on around a request that belongs to another trace: its HTTP request, say. */
function linksOf(parent: Context): { context: ReturnType<Span["spanContext"]> }[] {
  const around = trace.getSpanContext(context.active());
  const traced = trace.getSpanContext(parent);
  return around === undefined || around.spanId === traced?.spanId ? [] : [{ context: around }];
}

/** Made once for each provider: a program may set one late, and tests set several. */
const histograms = { client: new WeakMap<MeterProvider, Histogram>(), server: new WeakMap<MeterProvider, Histogram>() };

function durations(side: Operation["side"]): Histogram {
  const provider = metrics.getMeterProvider();
  const known = histograms[side].get(provider);
  if (known !== undefined) return known;
  const histogram = provider.getMeter(scope).createHistogram(`mcp.${side}.operation.duration`, {
    description: side === "client" ? "How long answers to MCP requests took" : "How long answering MCP requests took",
    unit: "s",
    advice: { explicitBucketBoundaries: durationBuckets },
  });
  histograms[side].set(provider, histogram);
  return histogram;
}
