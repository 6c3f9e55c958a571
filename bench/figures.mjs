// What is measured, and how good it has to be. `floor` fails a release; `goal` is what we want to say.

/** How many times as good as the bare script in the same round: more is better. */
const ratio = { compare: (bare, value) => bare / value, more: true, sign: "×" };
/** How much on top of the bare script in the same round: less is better. */
const over = { compare: (bare, value) => value - bare, more: false, sign: "+" };
/** How many times what the bare script takes in the same round: less is better. */
const times = { compare: (bare, value) => value / bare, more: false, sign: "×" };
/** What it is by itself: less is better. */
const alone = { compare: undefined, more: false, sign: "" };

const server = (size, era, floor, goal) => ({
  id: `server ${size} ${era}`,
  what: `stdio server, ${size}, ${era}: CPU a call`,
  unit: "µs",
  kind: ratio,
  floor,
  goal,
});
const client = (era) => ({
  id: `client ${era}`,
  what: `stdio client, 100 B, ${era}: CPU a call`,
  unit: "µs",
  kind: ratio,
  floor: 0.5,
  goal: 0.7,
});
const http = (id, what, floor, goal) => ({
  id: `http ${id}`,
  what: `HTTP ${what}: CPU a call`,
  unit: "µs",
  kind: ratio,
  floor,
  goal,
});
const p99 = (era) => ({
  id: `http json ${era} p99`,
  what: `the same: 99 of 100 calls answered within`,
  unit: "ms",
  kind: times,
  floor: 2,
  goal: 1.3,
});

export const figures = [
  server("100 B", "handshake", 0.7, 1),
  server("100 B", "stateless", 0.7, 1),
  server("10 KB", "handshake", 0.9, 1.1),
  server("10 KB", "stateless", 0.9, 1.1),
  server("1 MB", "handshake", 1, 1.3),
  server("1 MB", "stateless", 1, 1.3),
  client("handshake"),
  client("stateless"),
  { id: "import", what: "import of server and stdio: CPU", unit: "ms", kind: over, floor: 25, goal: 12 },
  { id: "start handshake", what: "spawn to the first list, handshake", unit: "ms", kind: over, floor: 40, goal: 20 },
  { id: "start stateless", what: "spawn to the first list, stateless", unit: "ms", kind: over, floor: 40, goal: 20 },
  { id: "start validated", what: "the same, with `jsonSchema()`", unit: "ms", kind: over },
  { id: "memory", what: "memory after the first list", unit: "MiB", kind: over, floor: 6, goal: 3 },
  { id: "memory validated", what: "the same, with `jsonSchema()`", unit: "MiB", kind: over },
  { id: "list", what: "tools/list of 10,000 tools, warm: CPU", unit: "ms", kind: ratio, floor: 1, goal: 4 },
  {
    id: "call of many",
    what: "tools/call with 10,000 tools / with 1: CPU",
    unit: "",
    kind: alone,
    floor: 1.15,
    goal: 1.05,
  },
  http("json stateless", "server, JSON, stateless", 0.6, 0.8),
  p99("stateless"),
  http("json handshake", "server, JSON, session", 0.6, 0.8),
  p99("handshake"),
  http("sse stateless", "server, stream, stateless", 0.6, 0.8),
  http("sse handshake", "server, stream, session", 0.6, 0.8),
  http("fetch", "server by its `fetch`, stateless", 0.6, 0.8),
  http("client stateless", "client on `node:http`, stateless", 0.5, 0.7),
  http("client handshake", "client on `node:http`, session", 0.5, 0.7),
  {
    id: "http call of many",
    what: "HTTP tools/call with 1,000 tools / with 1: CPU",
    unit: "",
    kind: alone,
    floor: 1.15,
    goal: 1.05,
  },
  {
    id: "http session",
    what: "HTTP session that is idle, 100 tools: heap",
    unit: "KiB",
    kind: alone,
    floor: 2,
    goal: 1,
  },
  {
    id: "http change",
    what: "a change to 1,000 GET streams, 100 at once: CPU each",
    unit: "µs",
    kind: ratio,
    floor: 1,
    goal: 2,
  },
  { id: "install server", what: "install of a stdio server", unit: "MiB", kind: alone, floor: 1, goal: 0.5 },
  { id: "install client", what: "install of a stdio client", unit: "MiB", kind: alone, floor: 1, goal: 0.5 },
];

/** How a contestant does in a figure, in the figure's own terms. */
export function score(figure, samples, name) {
  return samples.compared(figure.id, name, figure.kind.compare);
}

export function verdict({ kind, floor, goal }, value) {
  if (floor === undefined) return "";
  const reaches = (bound) => (kind.more ? value >= bound : value <= bound);
  if (reaches(goal)) return "goal";
  return reaches(floor) ? "floor" : "below the floor";
}
