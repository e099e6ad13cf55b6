/** What of the output of several test files in one process belongs to which. */
export const END_OF_FILE = "--- end of a test file:";

export interface FileOutput {
  readonly output: string;
  readonly exitCode: number;
  readonly seconds: number;
}

/** The output of each file that was run to its end, in their order. */
export function outputsOf(output: string): FileOutput[] {
  const line = new RegExp(`^${END_OF_FILE} (\\d+) ([\\d.]+)$`, "gm");
  const found: FileOutput[] = [];
  let start = 0;
  for (const match of output.matchAll(line)) {
    const own = output.slice(start, match.index);
    found.push({ output: own, exitCode: Number(match[1]), seconds: Number(match[2]) });
    start = match.index + match[0].length;
  }
  return found;
}
