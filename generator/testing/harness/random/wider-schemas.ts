import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../../model/json.js";
import { subschemasOf } from "../../../schema/subschemas.js";
import type { RandomNumbers } from "../runner/random-numbers.js";

/** A schema, and one that accepts all that it accepts. */
export interface WidenedSchema {
  readonly narrow: JsonObject;
  readonly wide: JsonObject;
}

/**
 * Relaxes keywords of a schema at random. The result accepts all that the schema accepts, by construction. References
 * to the root are taken out of both: they may stand where a wider subschema makes the whole narrower.
 *
 * @param below makes the random numbers
 */
export function widened(schema: JsonObject, below: RandomNumbers): WidenedSchema {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#"', '"title":"the root"');
  const [narrow, wide] = [JSON.parse(text), JSON.parse(text)] as [JsonObject, JsonObject];
  relaxSome(wide, below);
  return { narrow, wide };
}

function relaxSome(root: JsonObject, below: RandomNumbers): void {
  const places = positivePlaces(root);
  for (let count = 1 + below(3); count > 0; count -= 1) {
    const place = places[below(places.length)]!;
    const wideners = WIDENERS.filter(({ keyword }) => Object.hasOwn(place, keyword));
    const widener = wideners[below(wideners.length)];
    if (widener !== undefined) widener.relax(place, below);
  }
}

/** The keywords under which a wider subschema makes the whole wider. Under `not`, `oneOf` and `if` it may not. */
const POSITIVE = new Set(
  "properties patternProperties additionalProperties items prefixItems allOf anyOf then else dependentSchemas".split(
    " ",
  ),
);

function positivePlaces(root: JsonSchema): JsonObject[] {
  if (!isJsonObject(root)) return [];
  const inner = subschemasOf(root).filter(([[keyword]]) => POSITIVE.has(String(keyword)));
  return [root, ...inner.flatMap(([, schema]) => positivePlaces(schema))];
}

interface Widener {
  readonly keyword: string;
  readonly relax: (schema: JsonObject, below: RandomNumbers) => void;
}

const removing = (keyword: string): Widener => ({
  keyword,
  relax: (schema) => delete schema[keyword],
});

const moving = (keyword: string, step: number): Widener => ({
  keyword,
  relax(schema, below) {
    const limit = Number(schema[keyword]) + step * below(3);
    schema[keyword] =
      Number.isInteger(limit) && /^m..(L|I|P)/.test(keyword) ? Math.max(0, limit) : limit;
  },
});

const listed = (value: JsonValue | undefined): JsonValue[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

/** None of them changes what is evaluated, on which `unevaluatedProperties` and `unevaluatedItems` hang. */
const WIDENERS: readonly Widener[] = [
  ..."minimum exclusiveMinimum minLength minItems minProperties"
    .split(" ")
    .map((name) => moving(name, -1)),
  ..."maximum exclusiveMaximum maxLength maxItems maxProperties"
    .split(" ")
    .map((name) => moving(name, 1)),
  ...(
    "type const enum required minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength " +
    "pattern format minItems maxItems uniqueItems minProperties maxProperties propertyNames dependentRequired not"
  )
    .split(" ")
    .map(removing),
  {
    keyword: "type",
    relax: (schema) =>
      (schema["type"] = [
        ...listed(schema["type"]),
        ...["null", "boolean"].filter((one) => !listed(schema["type"]).includes(one)),
      ]),
  },
  {
    keyword: "type",
    relax: (schema) =>
      (schema["type"] = listed(schema["type"]).map((one) => (one === "integer" ? "number" : one))),
  },
  {
    keyword: "enum",
    relax: (schema) => (schema["enum"] = [...listed(schema["enum"]), "more", 17]),
  },
  {
    keyword: "const",
    relax(schema) {
      schema["enum"] = [schema["const"]!, "more"];
      delete schema["const"];
    },
  },
  {
    keyword: "required",
    relax: (schema) => (schema["required"] = listed(schema["required"]).slice(1)),
  },
  {
    keyword: "anyOf",
    relax: (schema) => (schema["anyOf"] = [...listed(schema["anyOf"]), { type: "boolean" }]),
  },
  { keyword: "unevaluatedProperties", relax: (schema) => (schema["unevaluatedProperties"] = true) },
  { keyword: "additionalProperties", relax: (schema) => (schema["additionalProperties"] = true) },
  {
    keyword: "properties",
    relax(schema, below) {
      const properties = schema["properties"];
      if (!isJsonObject(properties)) return;
      const names = Object.keys(properties);
      const name = names[below(names.length)];
      if (name !== undefined) properties[name] = true;
    },
  },
];
