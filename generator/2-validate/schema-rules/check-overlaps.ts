import { overlappingAlternatives } from "../../model/catalogue/schema-meaning.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import { isJsonSchema, ownValue } from "../../schema/json-schema.js";
import { InstanceBuilder } from "../../schema/instances/instance-builder.js";
import { SchemaResolver } from "../../schema/instances/schema-resolver.js";
import { TYPICAL_REQUEST, type ValueRequest } from "../../schema/instances/value-request.js";
import { walkSchema } from "../../schema/subschemas.js";
import { canonicalText } from "../../schema/values.js";
import { excerpt } from "../../text/excerpt.js";
import { placeOf, type SchemaDocument } from "./schema-document.js";
import type { ValueChecker } from "./value-checker.js";
import type { Soundness } from "./soundness.js";

/** The most alternatives of a `oneOf` that are compared with each other, because of the time that it takes. */
const MOST_ALTERNATIVES = 40;

/** A value that fits two alternatives, by their indexes. */
interface Overlap {
  readonly value: JsonValue;
  readonly of: number;
  readonly with: number;
}

/**
 * Reports each `oneOf` of which two alternatives accept the same simple value, so that the value is refused.
 * The value proves the overlap. A `oneOf` that is not reported may have overlaps too.
 *
 * @param checker not shared with other checks, because this check uses up its work
 */
export function* checkOverlaps(
  document: SchemaDocument,
  checker: ValueChecker,
  soundness: Soundness,
): Generator<Diagnostic> {
  if (document.role === "form" || !soundness.isReadable(document)) return;
  for (const [path, schema] of walkSchema(document.root)) {
    if (!isJsonObject(schema) || !Array.isArray(ownValue(schema, "oneOf"))) continue;
    if (!soundness.isSound(schema, document)) continue;
    const overlap = overlapIn(schema, document, checker);
    if (overlap === undefined) continue;
    const [first = 0, second = 0] = [overlap.of, overlap.with].sort((a, b) => a - b);
    const value = excerpt(JSON.stringify(overlap.value));
    const related = placeOf(document, [...path, "oneOf", first], "value");
    yield overlappingAlternatives(
      placeOf(document, [...path, "oneOf", second], "value"),
      { value, first: first + 1, second: second + 1 },
      [{ ...related, message: `the ${value} of the message fits here too` }],
    );
  }
}

function overlapIn(
  schema: JsonObject,
  { root, dialect, run }: SchemaDocument,
  checker: ValueChecker,
): Overlap | undefined {
  const { oneOf, ...beside } = schema;
  const alternatives = Array.isArray(oneOf) ? oneOf.filter(isJsonSchema) : [];
  if (alternatives.length > MOST_ALTERNATIVES) return undefined;
  const fits = (value: JsonValue, alternative: JsonObject | boolean): boolean =>
    checker.findings(value, alternative, root).length === 0;
  const builder = new InstanceBuilder(new SchemaResolver(root, dialect, run.shared));
  for (const [of, alternative] of alternatives.entries()) {
    for (const value of simpleValues(alternative, builder)) {
      if (!fits(value, alternative) || !fits(value, beside)) continue;
      const other = alternatives.findIndex(
        (candidate, index) => index !== of && fits(value, candidate),
      );
      if (other >= 0) return { value, of, with: other };
    }
  }
  return undefined;
}

/** A few different values that a schema probably accepts: of each type, and several of what it lists. */
function simpleValues(schema: JsonSchema, builder: InstanceBuilder): JsonValue[] {
  const values = new Map<string, JsonValue>();
  for (const request of REQUESTS) {
    const value = builder.build([schema], request);
    if (value !== undefined) values.set(canonicalText(value), value);
  }
  return [...values.values()];
}

const REQUESTS: readonly ValueRequest[] = (["required", "all"] as const).flatMap((properties) => {
  const first = { ...TYPICAL_REQUEST, properties };
  const others = [1, 2, 3];
  return [
    first,
    ...others.map((alternative) => ({ ...first, alternative })),
    ...others.map((seed) => ({ ...first, seed })),
  ];
});
