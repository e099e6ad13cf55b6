import { refusedInput, widerInput } from "../../model/catalogue/schema.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { flattenRoot, refusedAtRoot } from "../../schema/flat-root/flatten-root.js";
import { clientsRefusingAtRoot } from "../client-profiles.js";
import { placeOf, type SchemaDocument } from "./schema-document.js";

/**
 * What clients make of an inputSchema with a combination of schemas at its root.
 *
 * @param isVerbatim whether clients are shown the root as it is written
 */
export function* checkShownRoot(
  document: SchemaDocument,
  isVerbatim: boolean,
): Generator<Diagnostic> {
  const { root, run } = document;
  const found = refusedAtRoot(root);
  const flat = isVerbatim || found.length === 0 ? undefined : flattenRoot(root, run.shared);
  const keywords = found.filter((keyword) => clientsRefusingAtRoot([keyword]) !== "");
  const [first = found[0]] = keywords;
  if (first === undefined || flat?.isExact === true) return;
  const place = placeOf(document, [first], "key");
  const parameters = {
    keywords: keywords.length > 0 ? keywords : found,
    clients: clientsRefusingAtRoot(keywords) || "some clients",
  };
  if (flat !== undefined) yield widerInput(place, parameters);
  else if (keywords.length > 0) yield refusedInput(place, parameters);
}
