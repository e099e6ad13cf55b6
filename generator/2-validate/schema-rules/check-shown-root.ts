import { refusedInput, widerInput } from "../../model/catalogue/schema.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { flattenRoot, refusedAtRoot } from "../../schema/flat-root/flatten-root.js";
import { clientsRefusingAtRoot } from "../client-profiles.js";
import { placeOf, type SchemaDocument } from "./schema-document.js";

/** What may stand where a reference at the root leads. */
const COMBINATIONS = ["allOf", "anyOf", "oneOf"];

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
  if (found.length === 0 || flat?.isExact === true) return;
  const refused = found.filter((keyword) => clientsRefusingAtRoot([keyword]) !== "");
  const [first = found[0] ?? ""] = refused;
  const place = placeOf(document, [first], "key");
  const what = refused.map((keyword) => `\`${keyword}\``).join(", ");
  if (flat !== undefined) {
    // A root that is a reference has the combination where that leads.
    const behind = `the combination to which \`${first}\` leads`;
    const clients = clientsRefusingAtRoot(refused.length > 0 ? refused : COMBINATIONS);
    yield widerInput(place, { what: what === "" ? behind : what, clients });
  } else if (refused.length > 0) {
    yield refusedInput(place, { what, clients: clientsRefusingAtRoot(refused) });
  }
}
