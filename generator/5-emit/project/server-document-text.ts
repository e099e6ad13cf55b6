import type { ServerModel } from "../../model/server-model.js";
import type { FormerGeneration } from "../former/former-generation.js";
import { keptPieces, piecesIn, withPieces, type PieceMarks } from "../former/former-pieces.js";
import { serverDocumentView } from "./server-document.js";
import { renderTemplate } from "./templates.js";

/** The sections of the tools in the document. */
const SECTIONS: PieceMarks = { opening: "\n## Tools", before: "\n### ", closing: "\n## " };

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
  const kept = former?.tools.restIsSame ? keptPieces(former, path, SECTIONS) : undefined;
  // A document without tools would have no place for them.
  const made = model.tools.filter(({ name }, index) => index === 0 || !kept?.has(name));
  const text = await renderTemplate("SERVER.md", serverDocumentView(model, made));
  if (kept === undefined || made.length === model.tools.length) return text;
  const pieces = piecesIn(text, SECTIONS);
  if (pieces.length !== made.length) return serverDocument(model, path);
  const own = new Map(made.map(({ name }, index) => [name, pieces[index] ?? ""]));
  const all = model.tools.map(({ name }) => own.get(name) ?? kept.get(name) ?? "");
  return withPieces(text, SECTIONS, all);
}
