// What CI holds us to: CPU time beside the bare script, no worse than a fifth below the floor.
// A figure that fails is measured once more, and all its samples count.
import { ours } from "./contestants.mjs";
import { figures, score } from "./figures.mjs";
import { measureClients } from "./measures/client.mjs";
import { measureRegistries } from "./measures/registry.mjs";
import { measureServers } from "./measures/server.mjs";
import { createSamples } from "./samples.mjs";
import { stage } from "./stage.mjs";

const rounds = 7;
const allowance = 0.2;
const measures = [measureServers, measureClients, measureRegistries];

const { programs } = stage();
const contestants = ours(programs);
const samples = createSamples();
await measure(() => true);
const doubtful = judge().filter(({ passed }) => !passed);
if (doubtful.length > 0) await measure((id) => doubtful.some((one) => one.id === id));

for (const { what, value, limit, passed } of judge()) {
  console.log(`${passed ? "ok    " : "FAILED"} ${what}: ${value.toFixed(2)}, the limit is ${limit.toFixed(2)}`);
  if (!passed) process.exitCode = 1;
}

async function measure(wanted) {
  for (const part of measures) await part({ contestants, programs, rounds, samples, wanted });
}

function judge() {
  const judged = figures.filter(({ id }) => samples.has(id));
  if (judged.length === 0) throw new Error("nothing was measured");
  return judged.map((figure) => {
    const { id, what, kind, floor } = figure;
    const value = score(figure, samples, "parlance");
    const limit = kind.more ? floor * (1 - allowance) : floor * (1 + allowance);
    return { id, what, value, limit, passed: kind.more ? value >= limit : value <= limit };
  });
}
