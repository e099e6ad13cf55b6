import { keywordOfOtherType } from "../../model/catalogue/schema-meaning.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { ownValue } from "../../schema/json-schema.js";
import { KEYWORDS } from "../../schema/keywords/index.js";
import { placeOf, type SchemaDocument, type SchemaNode } from "./schema-document.js";

/** What is left by other keywords is often written beside any type, and says nothing wrong there. */
const OF_THE_REST: ReadonlySet<string> = new Set(
  "additionalItems unevaluatedItems unevaluatedProperties dependencies".split(" "),
);

/** How bounds end by the type that they are of. */
const BOUND_OF: Readonly<Record<string, string>> = {
  string: "Length",
  array: "Items",
  object: "Properties",
  number: "imum",
  integer: "imum",
};

/** Keywords beside a `type` whose values they say nothing of. */
export function* checkOtherTypes(
  { schema, path }: SchemaNode,
  document: SchemaDocument,
): Generator<Diagnostic> {
  const type = ownValue(schema, "type");
  // Of several types or none, another part of the schema may say more.
  if (typeof type !== "string" || document.role === "form") return;
  const own = type === "integer" ? "number" : type;
  for (const keyword of Object.keys(schema)) {
    const asked = KEYWORDS.get(keyword)?.subject;
    if (asked === undefined || asked === own || OF_THE_REST.has(keyword)) continue;
    // Of JSON Schema's draft-03, and said to be wrong as it is.
    if (keyword === "required" && typeof schema[keyword] === "boolean") continue;
    const meant = boundFor(keyword, type);
    const place = placeOf(document, [...path, keyword], "key");
    yield keywordOfOtherType(place, { keyword, type, ...(meant !== undefined && { meant }) });
  }
}

/** The bound of the right type: `minLength` for `minimum` of a text. */
function boundFor(keyword: string, type: string): string | undefined {
  const [, bound] = /^(min|max)(?:imum|Length|Items|Properties)$/.exec(keyword) ?? [];
  const ending = Object.hasOwn(BOUND_OF, type) ? BOUND_OF[type] : undefined;
  return bound === undefined || ending === undefined ? undefined : bound + ending;
}
