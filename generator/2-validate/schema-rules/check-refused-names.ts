import { requiredButRefused } from "../../model/catalogue/schema-meaning.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { JsonObject } from "../../model/json.js";
import { ownValue } from "../../schema/json-schema.js";
import { placeOf, type SchemaDocument } from "./schema-document.js";
import { edgesOf, isBinding, type SchemaPlace } from "../../schema/schema-graph.js";

/** The name that a server refuses anywhere in arguments, for any schema (`argument-limits.ts` of the runtime). */
export const REFUSED_NAME = "__proto__";

/**
 * Reports inputs of tools, and schemas to which they refer, that require the name which servers refuse.
 *
 * @param inputs the schemas of tools' arguments
 * @param shared the manifest's own schemas, which references lead to
 */
export function* checkRefusedNames(
  inputs: readonly SchemaDocument[],
  shared: readonly SchemaDocument[],
): Generator<Diagnostic> {
  const documents = new Map([...inputs, ...shared].map((document) => [document.root, document]));
  const visited = new Set<JsonObject>();
  for (const { root, run } of inputs) {
    const pending: SchemaPlace[] = [{ schema: root, root, path: [] }];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (visited.has(next.schema)) continue;
      visited.add(next.schema);
      const document = documents.get(next.root);
      if (document !== undefined) yield* problemsAt(next, document);
      for (const edge of edgesOf(next, run.shared))
        if (isBinding(edge, next)) pending.push(edge.to);
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
