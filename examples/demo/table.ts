// Colors only for a person who looks: https://no-color.org
const colored = process.stdout.isTTY && process.env["NO_COLOR"] === undefined;
const style = (on: number, off: number) => (text: string) => (colored ? `\u001b[${on}m${text}\u001b[${off}m` : text);

export const red = style(31, 39);
const [bold, dim] = [style(1, 22), style(2, 22)];

/** Prints rows in columns: the first column stands out, figures stand to the right. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const columns = head.map((title, at) => {
    const cells = rows.map((row) => row[at] ?? "");
    const width = Math.max(...[title, ...cells].map((cell) => cell.length));
    const isFigures = cells.every((cell) => /^\d+( ms)?$/.test(cell));
    return [title, ...cells].map((cell) => (isFigures ? cell.padStart(width) : cell.padEnd(width)));
  });
  console.log();
  for (let line = 0; line <= rows.length; line++) {
    const [first = "", ...rest] = columns.map((column) => column[line] ?? "");
    console.log(
      line === 0 ? dim([first, ...rest].join("   ").trimEnd()) : [bold(first), ...rest].join("   ").trimEnd(),
    );
  }
}
