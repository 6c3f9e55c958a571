/** A line for whoever started the program: stdout may carry a protocol. */
export function printLine(line: string): void {
  process.stderr.write(`${line}\n`);
}
