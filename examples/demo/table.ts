// Colors only for a person who looks: https://no-color.org
const colored = process.stdout.isTTY && process.env["NO_COLOR"] === undefined;
const style = (on: number, off: number) => (text: string) => (colored ? `\u001b[${on}m${text}\u001b[${off}m` : text);

export const red = style(31, 39);
const [bold, dim] = [style(1, 22), style(2, 22)];

export function title(text: string): void {
  console.log(`\n${bold(text)}`);
}

/** Prints rows in columns: the first column stands out, figures stand to the right. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const columns = head.map((heading, at) => {
    const cells = rows.map((row) => row[at] ?? "");
    const width = Math.max(...[heading, ...cells].map((cell) => cell.length));
    const isFigures = cells.every((cell) => /^\d+( ms)?$/.test(cell));
    return [heading, ...cells].map((cell) => (isFigures ? cell.padStart(width) : cell.padEnd(width)));
  });
  for (let line = 0; line <= rows.length; line++) {
    const [first = "", ...rest] = columns.map((column) => column[line] ?? "");
    const text = [line === 0 ? first : bold(first), ...rest].join("   ").trimEnd();
    console.log(`  ${line === 0 ? dim(text) : text}`);
  }
}
