import { figures, score, verdict } from "./figures.mjs";

/** A Markdown table: what the bare script needs, how each of the others compares with it, and what is asked of us. */
export function table(samples, names) {
  const others = names.filter((name) => name !== "bare");
  const rows = figures
    .filter(({ id }) => samples.has(id))
    .map((figure) => {
      const ours = score(figure, samples, "parlance");
      const cells = others.map((name) => shown(figure, score(figure, samples, name)));
      const bounds = [figure.floor, figure.goal].map((bound) => shown(figure, bound));
      return [
        figure.what,
        absolute(figure, samples.value(figure.id, "bare")),
        ...cells,
        ...bounds,
        verdict(figure, ours),
      ];
    });
  const head = ["", "bare", ...others, "floor", "goal", "parlance is at"];
  const rule = head.map((_, column) => (column === 0 || column === head.length - 1 ? "---" : "--:"));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function shown({ kind, unit }, value) {
  if (value === undefined) return "–";
  switch (kind.sign) {
    case "×":
      return `${rounded(value)}×`;
    case "+":
      return `${value < 0 ? "−" : "+"}${rounded(Math.abs(value))} ${unit}`;
    default:
      return `${rounded(value)} ${unit}`.trim();
  }
}

function absolute({ unit }, value) {
  return value === undefined ? "–" : `${rounded(value)} ${unit}`;
}

function rounded(value) {
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
