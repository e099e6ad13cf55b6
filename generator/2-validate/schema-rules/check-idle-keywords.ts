import { keywordOfOtherType, keywordWithoutOther } from "../../model/catalogue/schema-meaning.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { ownValue, TYPE_NAMES } from "../../schema/json-schema.js";
import { KEYWORDS } from "../../schema/keywords/index.js";
import { quoted } from "../../text/value-words.js";
import { placeOf, type SchemaDocument, type SchemaNode } from "./schema-document.js";

/** Keywords for values that other keywords do not describe. They are often written beside any type, and harmless. */
const HARMLESS_KEYWORDS: ReadonlySet<string> = new Set(
  "additionalItems unevaluatedItems unevaluatedProperties dependencies".split(" "),
);

/** How the keywords of bounds end, by the type that they restrict. */
const BOUND_ENDINGS: Readonly<Record<string, string>> = {
  string: "Length",
  array: "Items",
  object: "Properties",
  number: "imum",
  integer: "imum",
};

/** Warns of keywords that have no effect because of the `type` beside them, or because another keyword is absent. */
export function* checkIdleKeywords(
  node: SchemaNode,
  document: SchemaDocument,
): Generator<Diagnostic> {
  yield* checkLoneKeywords(node, document);
  yield* checkOtherTypes(node, document);
}

function* checkLoneKeywords(
  { schema, path }: SchemaNode,
  document: SchemaDocument,
): Generator<Diagnostic> {
  for (const keyword of Object.keys(schema)) {
    const definition = KEYWORDS.get(keyword);
    const needed = definition?.needs;
    if (needed === undefined || Object.hasOwn(schema, needed)) continue;
    // Another rule reports keywords that the dialect does not have.
    if (!definition?.dialects.includes(document.dialect)) continue;
    const place = placeOf(document, [...path, keyword], "key");
    yield keywordWithoutOther(place, { keyword, needed: quoted(needed) });
  }
}

function* checkOtherTypes(
  { schema, path }: SchemaNode,
  document: SchemaDocument,
): Generator<Diagnostic> {
  const type = ownValue(schema, "type");
  // If there are several types or none, the keyword may have an effect.
  if (typeof type !== "string" || document.role === "form") return;
  // Another rule reports a type that does not exist. Which keywords go with the meant one is unknown.
  if (!TYPE_NAMES.some((name) => name === type)) return;
  const subject = type === "integer" ? "number" : type;
  for (const keyword of Object.keys(schema)) {
    const keywordSubject = KEYWORDS.get(keyword)?.subject;
    if (keywordSubject === undefined || keywordSubject === subject) continue;
    if (HARMLESS_KEYWORDS.has(keyword)) continue;
    // Another rule reports the boolean `required` of draft-03.
    if (keyword === "required" && typeof schema[keyword] === "boolean") continue;
    const meant = boundFor(keyword, type);
    const place = placeOf(document, [...path, keyword], "key");
    yield keywordOfOtherType(place, { keyword, type, ...(meant !== undefined && { meant }) });
  }
}

/** The bound of the right type: `minLength` for `minimum` of a text. */
function boundFor(keyword: string, type: string): string | undefined {
  const [, bound] = /^(min|max)(?:imum|Length|Items|Properties)$/.exec(keyword) ?? [];
  const ending = Object.hasOwn(BOUND_ENDINGS, type) ? BOUND_ENDINGS[type] : undefined;
  return bound === undefined || ending === undefined ? undefined : bound + ending;
}
