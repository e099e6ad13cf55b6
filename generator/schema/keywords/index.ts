import { additionalProperties } from "./additional-properties.js";
import { allOf } from "./all-of.js";
import { annotations, definitions } from "./annotations.js";
import { anyOf, oneOf } from "./any-of-one-of.js";
import { contains, maxContains, minContains } from "./contains.js";
import type { KeywordDefinition } from "./definition.js";
import { dependencies, dependentRequired, dependentSchemas } from "./dependencies.js";
import { constant, enumeration } from "./enum-const.js";
import { format } from "./format.js";
import { alternative, condition, consequence } from "./if-then-else.js";
import { additionalItems, items, prefixItems } from "./items.js";
import { maxItems, minItems } from "./min-max-items.js";
import { maxLength, minLength } from "./min-max-length.js";
import { maxProperties, minProperties } from "./min-max-properties.js";
import { exclusiveMaximum, exclusiveMinimum, maximum, minimum } from "./minimum-maximum.js";
import { multipleOf } from "./multiple-of.js";
import { not } from "./not.js";
import { pattern } from "./pattern.js";
import { patternProperties, properties } from "./properties.js";
import { propertyNames } from "./property-names.js";
import { dynamicRef, ref } from "./ref.js";
import { required } from "./required.js";
import { type } from "./type.js";
import { unevaluatedItems, unevaluatedProperties } from "./unevaluated.js";
import { uniqueItems } from "./unique-items.js";

/** Every keyword that a manifest's schemas may use, in the order in which the compiled validators check them. */
const DEFINITIONS: readonly KeywordDefinition[] = [
  ...annotations,
  ...definitions,
  ...[ref, type, constant, enumeration],
  ...[not, anyOf, oneOf, allOf, dynamicRef, condition, consequence, alternative],
  ...[maximum, minimum, exclusiveMaximum, exclusiveMinimum],
  ...[multipleOf, maxLength, minLength, format, pattern],
  ...[maxItems, minItems, additionalItems, prefixItems, items],
  ...[contains, maxContains, minContains, uniqueItems, unevaluatedItems],
  ...[maxProperties, minProperties, required, propertyNames, additionalProperties],
  ...[dependencies, properties, patternProperties, dependentRequired, dependentSchemas],
  unevaluatedProperties,
];

/** The keywords by name. */
export const KEYWORDS: ReadonlyMap<string, KeywordDefinition> = new Map(
  DEFINITIONS.map((definition) => [definition.name, definition]),
);

/** What other folders use of single keywords. They import it from here, since keywords and comparison import each other. */
export { containedCounts } from "./contains.js";
export { stepOf } from "./multiple-of.js";
export { nameSchemas } from "./property-names.js";
export { isOfType } from "./type.js";
export { requiresUniqueItems, unboundedComparison } from "./unique-items.js";
