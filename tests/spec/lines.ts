import type { SpecLine } from "./line.js";
import { extension } from "./lines/extension.js";
import { httpClient } from "./lines/http-client.js";
import { httpHandshake } from "./lines/http-handshake.js";
import { httpStateless } from "./lines/http-stateless.js";
import { jsonrpc } from "./lines/jsonrpc.js";
import { lifecycle } from "./lines/lifecycle.js";
import { listening } from "./lines/listening.js";
import { logging } from "./lines/logging.js";
import { parameterHeader } from "./lines/parameter-header.js";
import { pattern } from "./lines/pattern.js";
import { prompt } from "./lines/prompt.js";
import { question } from "./lines/question.js";
import { resource } from "./lines/resource.js";
import { result } from "./lines/result.js";
import { schema } from "./lines/schema.js";
import { security } from "./lines/security.js";
import { sse } from "./lines/sse.js";
import { stdio } from "./lines/stdio.js";
import { tasks } from "./lines/tasks.js";
import { tool } from "./lines/tool.js";
import { version } from "./lines/version.js";

/** Every line of the protocol that a test of this repository names and proves. */
export const specLines: readonly SpecLine[] = [
  ...jsonrpc,
  ...version,
  ...lifecycle,
  ...stdio,
  ...httpClient,
  ...result,
  ...tool,
  ...schema,
  ...pattern,
  ...logging,
  ...listening,
  ...resource,
  ...prompt,
  ...question,
  ...httpStateless,
  ...httpHandshake,
  ...parameterHeader,
  ...sse,
  ...security,
  ...extension,
  ...tasks,
];

/** The groups that are complete: each of their lines that a test can see is listed, or waits for its part in `later.ts`. */
export const wholeGroups: readonly string[] = [
  "JR",
  "VER-S",
  "VER-C",
  "LC",
  "STD",
  "META",
  "RES",
  "ERR",
  "TOOL",
  "MRTR",
  "ELI",
  "SAM",
  "ROOT",
  "SCH",
  "HTTP-M",
  "HTTP-L",
  "XMH",
  "SSE",
  "SUB",
  "RSC",
  "PRM",
  "CMP",
  "LOG",
  "PAG",
  "PRG",
  "CAN",
  "ICON",
  "SEC",
  "EXT",
  "TASK-X",
];
