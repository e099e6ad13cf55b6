import type { ServerModel } from "../../model/server-model.js";
import type { FormerGeneration } from "../former/former-generation.js";
import {
  ownTools,
  piecesIn,
  toolRows,
  withPieces,
  type PieceMarks,
} from "../former/former-pieces.js";
import { serverDocumentView } from "./server-document.js";
import { renderTemplate } from "./templates.js";

/** The sections of the tools in the document. */
const SECTIONS: PieceMarks = { opening: "\n## Tools\n", before: "\n### ", closing: "\n## " };

/**
 * SERVER.md.
 *
 * @param former has the sections of the tools that are as they were
 */
export async function serverDocument(
  model: ServerModel,
  path: string,
  former?: FormerGeneration,
): Promise<string> {
  const [first, ...others] = model.tools;
  const rows = toolRows(others, former?.tools.restIsSame ? former : undefined, path, SECTIONS);
  // A document without tools would have no place for them.
  const made = first === undefined ? [] : [first, ...rows.flatMap(ownTools)];
  const text = await renderTemplate("SERVER.md", serverDocumentView(model, made));
  if (made.length === model.tools.length) return text;
  const pieces = piecesIn(text, SECTIONS);
  if (pieces.length !== made.length) return serverDocument(model, path);
  const [opening = "", ...own] = pieces;
  const all = rows.map(({ text: kept }) => kept ?? own.shift() ?? "");
  return withPieces(text, SECTIONS, [opening, ...all]);
}
