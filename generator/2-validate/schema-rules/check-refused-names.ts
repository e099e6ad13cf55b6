import { requiredButRefused } from "../../model/catalogue/schema-meaning.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { JsonObject } from "../../model/json.js";
import { ownValue } from "../../schema/json-schema.js";
import { KEYWORDS } from "../../schema/keywords/index.js";
import { placeOf, type SchemaDocument } from "./schema-document.js";
import { edgesOf, type SchemaEdge, type SchemaPlace } from "./schema-graph.js";

/** The name that a server refuses anywhere in arguments, whatever the schema (`argument-limits.ts` of the runtime). */
export const REFUSED_NAME = "__proto__";

/**
 * Where the inputs of tools ask for the name that servers refuse, in what they refer to as well.
 *
 * @param inputs the schemas of tools' arguments
 * @param shared the manifest's own schemas, which references lead to
 */
export function* checkRefusedNames(
  inputs: readonly SchemaDocument[],
  shared: readonly SchemaDocument[],
): Generator<Diagnostic> {
  const documents = new Map([...inputs, ...shared].map((document) => [document.root, document]));
  const reached = new Set<JsonObject>();
  for (const { root, run } of inputs) {
    const waiting: SchemaPlace[] = [{ schema: root, root, path: [] }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (reached.has(next.schema)) continue;
      reached.add(next.schema);
      const document = documents.get(next.root);
      if (document !== undefined) yield* problemsAt(next, document);
      for (const edge of edgesOf(next, run.shared)) if (isAsked(edge, next)) waiting.push(edge.to);
    }
  }
}

function* problemsAt(
  { schema, path }: SchemaPlace,
  document: SchemaDocument,
): Generator<Diagnostic> {
  const required = ownValue(schema, "required");
  const index = Array.isArray(required) ? required.indexOf(REFUSED_NAME) : -1;
  if (index < 0) return;
  const place = placeOf(document, [...path, "required", index], "value");
  yield requiredButRefused(place, { name: REFUSED_NAME });
}

/** `not` with `required` is how one forbids a name. */
function isAsked({ reference, to }: SchemaEdge, { path }: SchemaPlace): boolean {
  return (
    reference !== undefined || KEYWORDS.get(String(to.path[path.length]))?.isTentative !== true
  );
}
