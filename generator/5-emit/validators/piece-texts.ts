import { PIECES } from "./runtime-pieces.js";

/**
 * The text of each runtime piece by its name. A packed mcpwright has them as constants, since what packs
 * it writes functions anew: `packaging/prepared-modules.ts` puts those in place of this file.
 */
export function pieceTexts(): ReadonlyMap<string, string> {
  return new Map(PIECES.map((piece) => [piece.name, withTwoSpaces(piece.toString())]));
}

/** The compiler that made the text indents by four. */
function withTwoSpaces(text: string): string {
  return text.replace(/^(?: {4})+/gm, (indent) => " ".repeat(indent.length / 2));
}
