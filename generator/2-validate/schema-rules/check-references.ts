import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject } from "../../model/json.js";
import { dialectOf, ownValue } from "../../schema/json-schema.js";
import {
  anchorInSharedSchema,
  danglingReference,
  externalReference,
  malformedReference,
  referenceAcrossDialects,
  repeatedAnchor,
} from "../../model/catalogue/schema.js";
import {
  anchorsOf,
  parseReference,
  resolveReference,
  writeReference,
} from "../../schema/schema-reference.js";
import { quoted } from "../../text/value-words.js";
import { placeOf, type SchemaDocument, type SchemaNode } from "./schema-document.js";
import type { Mend } from "../../model/mend.js";
import { isSureName } from "../../text/nearest-name.js";

/** Checks that every reference leads to a schema of the manifest in the same dialect. It opens no file and no URL. */
export function* checkReferences(
  node: SchemaNode,
  document: SchemaDocument,
): Generator<Diagnostic> {
  for (const keyword of ["$ref", "$dynamicRef"]) {
    const reference = ownValue(node.schema, keyword);
    if (typeof reference !== "string") continue;
    const problem = referenceProblem(reference, document);
    if (problem !== undefined) yield problem(placeOf(document, [...node.path, keyword], "value"));
  }
  yield* checkAnchors(node, document);
}

function referenceProblem(
  text: string,
  document: SchemaDocument,
): ((place: ReturnType<typeof placeOf>) => Diagnostic) | undefined {
  const reference = quoted(text);
  const parsed = parseReference(text);
  if (parsed.kind === "malformed") {
    const to = text.replace(/%(?![0-9A-Fa-f]{2})/g, "%25");
    return (place) => malformedReference(place, { reference, mend: { edit: "set text", to } });
  }
  const target = resolveReference(document.root, text, document.run.shared);
  if (target === undefined) {
    const nearest = nearestReference(text, document);
    const report = parsed.kind === "external" ? externalReference : danglingReference;
    return (place) => report(place, { reference, ...nearest });
  }
  const other = target.sharedName === undefined ? document.dialect : dialectOf(target.root);
  if (other === document.dialect) return undefined;
  return (place) => referenceAcrossDialects(place, { reference, own: document.dialect, other });
}

/** A reference to the same name elsewhere, or to a similar one: first in this schema, then among the shared schemas. */
function nearestReference(
  reference: string,
  { root, run }: SchemaDocument,
): { nearest?: string; mend?: Mend } {
  const name = reference.slice(reference.lastIndexOf("/") + 1).replace(/^#/, "");
  const maps = [
    ["$defs", ownValue(root, "$defs")],
    ["definitions", ownValue(root, "definitions")],
    ["schemas", ownValue(run.manifest.value, "schemas")],
  ] as const;
  for (const [key, map] of maps) {
    if (!isJsonObject(map) || !Object.hasOwn(map, name)) continue;
    const to = writeReference([key, name]);
    return { nearest: to, mend: { edit: "set text", to } };
  }
  for (const [key, map] of maps) {
    const names = isJsonObject(map) ? Object.keys(map) : [];
    const nearest = run.nearest(name, names);
    if (nearest === undefined) continue;
    const to = writeReference([key, nearest]);
    const isSure = isSureName(name, nearest, names);
    return { nearest: to, ...(isSure && { mend: { edit: "set text", to } }) };
  }
  return {};
}

function* checkAnchors(
  { schema, path }: SchemaNode,
  document: SchemaDocument,
): Generator<Diagnostic> {
  for (const keyword of ["$anchor", "$dynamicAnchor", "$dynamicRef"]) {
    const name = ownValue(schema, keyword);
    if (typeof name !== "string") continue;
    const place = () => placeOf(document, [...path, keyword], "key");
    if (document.role === "shared") yield anchorInSharedSchema(place(), { keyword });
    else if (keyword !== "$dynamicRef" && anchorsOf(document.root).get(name)?.schema !== schema) {
      yield repeatedAnchor(place(), { name });
    }
  }
}
