import { refusedInput, widerInput } from "../../model/catalogue/schema.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { flattenRoot, refusedAtRoot } from "../../schema/flat-root/flatten-root.js";
import { clientsRefusingAtRoot } from "../client-profiles.js";
import { placeOf, type SchemaDocument } from "./schema-document.js";

/** The combinations that the target of a reference at the root may have. */
const COMBINATIONS = ["allOf", "anyOf", "oneOf"];

/**
 * Warns of an inputSchema with a combination of schemas at its root, if clients are shown a wider schema or
 * if some clients refuse it.
 *
 * @param isVerbatim true if clients are shown the root unchanged
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
    // If the root is a reference, the combination is in its target.
    const behind = `the combination to which \`${first}\` leads`;
    const clients = clientsRefusingAtRoot(refused.length > 0 ? refused : COMBINATIONS);
    yield widerInput(place, { what: what === "" ? behind : what, clients });
  } else if (refused.length > 0) {
    yield refusedInput(place, { what, clients: clientsRefusingAtRoot(refused) });
  }
}
