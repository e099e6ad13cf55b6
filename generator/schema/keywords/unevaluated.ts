import { undecided, type KeywordCheck } from "../comparison/check.js";
import { schemaUnder } from "../comparison/schema-node.js";
import { isJsonObject } from "../../model/json.js";
import { isJsonSchema } from "../json-schema.js";
import { onlyProperties } from "../types/type-model.js";
import type { Typing } from "../types/typing.js";
import { allUnlessRefused, refuseProperty, refusingProperties } from "./additional-properties.js";
import { MODERN_ONLY, type KeywordDefinition } from "./definition.js";
import { refuseFrom, refusingItems } from "./items.js";

/** The names that the schemas of the same value describe, fitting or not; "all" if they cannot be listed. */
function describedNames(typing: Typing): ReadonlySet<string> | "all" {
  const names = new Set<string>();
  for (const [index, assertions] of typing.inPlace().entries()) {
    for (const { definition, rule } of assertions) {
      if (index === 0 && definition === unevaluatedProperties) continue;
      const described = definition.describedNames?.(rule) ?? [];
      if (described === "all") return "all";
      for (const name of described) names.add(name);
    }
  }
  return names;
}

/** The keywords depend on all others, so nothing is proven here. Equal schemas were found to be the same before. */
const compareUnevaluated =
  (name: string, type: "array" | "object"): KeywordCheck =>
  (narrow, wide) => {
    const schema = schemaUnder(wide, name);
    const isOpen = schema === undefined || schema.schema === true;
    return isOpen || !narrow.types.has(type) ? [] : [undecided(narrow, wide, name)];
  };

export const unevaluatedItems: KeywordDefinition = {
  name: "unevaluatedItems",
  mayContradict: true,
  shape: "schema",
  dialects: MODERN_ONLY,
  subject: "array",
  reportsTried: "itself",
  compare: compareUnevaluated("unevaluatedItems", "array"),
  hidesFactsOf: ["array"],
  breaking: refusingItems,
  typedWith: "items",
  check(value, rule, checking) {
    if (!Array.isArray(value) || !isJsonSchema(rule)) return;
    const { evaluated } = checking;
    const laterIndexes = [...value.keys()].filter((index) => !evaluated.has(index));
    const unevaluatedIndexes = laterIndexes.filter((index) => !evaluated.has(String(index)));
    if (rule === false) refuseFrom(laterIndexes[0] ?? 0, value, checking, unevaluatedIndexes);
    else for (const index of unevaluatedIndexes) checking.applyWithin(index, rule);
  },
};

export const unevaluatedProperties: KeywordDefinition = {
  name: "unevaluatedProperties",
  mayContradict: true,
  shape: "schema",
  dialects: MODERN_ONLY,
  subject: "object",
  compare: compareUnevaluated("unevaluatedProperties", "object"),
  hidesFactsOf: ["object"],
  breaking: refusingProperties,
  describedNames: allUnlessRefused,
  narrow(type, rule, typing) {
    const names = describedNames(typing);
    if (names === "all" || !isJsonSchema(rule)) return type;
    return typing.intersect(type, onlyProperties(names, typing.typeOf(rule)));
  },
  check(value, rule, checking) {
    if (!isJsonObject(value) || !isJsonSchema(rule)) return;
    for (const name of Object.keys(value).filter((key) => !checking.evaluated.has(key))) {
      if (rule !== false) checking.applyWithin(name, rule);
      else refuseProperty(name, "unevaluated", checking);
    }
  },
};
