// What was measured: for each figure, each contestant's samples, one a round.

export function createSamples() {
  const figures = new Map();
  const of = (figure, name) => figures.get(figure)?.get(name);
  return {
    add(figure, name, value) {
      const byName = figures.get(figure) ?? new Map();
      figures.set(figure, byName);
      byName.set(name, [...(byName.get(name) ?? []), value]);
    },
    has: (figure) => figures.has(figure),
    value: (figure, name) => median(of(figure, name)),
    /** Rounds are interleaved: what the machine does to one it does to both sides, so each is compared with its own. */
    compared(figure, name, compare) {
      const samples = of(figure, name);
      const bare = of(figure, "bare");
      if (compare === undefined) return median(samples);
      return samples && bare && median(samples.map((value, round) => compare(bare[round], value)));
    },
  };
}

function median(values) {
  if (values === undefined || values.length === 0) return undefined;
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The order changes from round to round, so that nobody always follows the same neighbour. */
export function turned(list, round) {
  const by = round % list.length;
  return [...list.slice(by), ...list.slice(0, by)];
}
