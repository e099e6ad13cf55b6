import type { Splice } from "../../../text/splice.js";

/** The splices that turn the spliced text back into `source`. */
export function undoingSplices(source: string, splices: readonly Splice[]): Splice[] {
  let shift = 0;
  const inOrder = [...splices].sort((a, b) => a.start - b.start || a.end - b.end);
  return inOrder.map(({ start, end, text }) => {
    const begin = start + shift;
    shift += text.length - (end - start);
    return { start: begin, end: begin + text.length, text: source.slice(start, end) };
  });
}
