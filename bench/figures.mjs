// What is measured, and how good it has to be. `floor` fails a release; `goal` is what we want to say.

/** How many times as good as the bare script in the same round: more is better. */
const ratio = { compare: (bare, value) => bare / value, more: true, sign: "×" };
/** How much on top of the bare script in the same round: less is better. */
const over = { compare: (bare, value) => value - bare, more: false, sign: "+" };
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
