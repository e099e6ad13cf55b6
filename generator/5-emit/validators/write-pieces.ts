import { pieceTexts } from "./piece-texts.js";

/** The text of the named runtime pieces and of those that they call, in a fixed order. */
export function writePieces(names: ReadonlySet<string>): string[] {
  const texts = pieceTexts();
  const needed = new Set(names);
  for (const name of needed) {
    const text = texts.get(name);
    if (text === undefined) throw new Error(`no runtime piece is called ${name}`);
    for (const other of texts.keys()) {
      if (new RegExp(`\\b${other}\\(`).test(text) || text.includes(`(${other})`)) needed.add(other);
    }
  }
  return [...texts].filter(([name]) => needed.has(name)).map(([, text]) => text);
}
