/** What of the output of several test files in one process belongs to which. */
const END_OF_FILE = "--- end of a test file:";

/** How a test file ended. */
export interface FileEnd {
  readonly exitCode: number;
  readonly seconds: number;
  /** The processor time that it took, with that of the processes that it started. */
  readonly processorSeconds: number;
}

export interface FileOutput extends FileEnd {
  readonly output: string;
}

/** The line that ends the output of a test file. */
export function endOfFile({ exitCode, seconds, processorSeconds }: FileEnd): string {
  return `${END_OF_FILE} ${exitCode} ${seconds.toFixed(1)} ${processorSeconds.toFixed(2)}`;
}

/** The output of each file that was run to its end, in their order. */
export function outputsOf(output: string): FileOutput[] {
  const line = new RegExp(`^${END_OF_FILE} (\\d+) ([\\d.]+) ([\\d.]+)$`, "gm");
  const found: FileOutput[] = [];
  let start = 0;
  for (const match of output.matchAll(line)) {
    const own = output.slice(start, match.index);
    const [exitCode = 0, seconds = 0, processorSeconds = 0] = match.slice(1).map(Number);
    found.push({ output: own, exitCode, seconds, processorSeconds });
    start = match.index + match[0].length;
  }
  return found;
}
