import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import { dialectOf, type Dialect } from "../json-schema.js";
import { KEYWORDS } from "../keywords/index.js";
import { schemasIn } from "../read-schema.js";
import { resolveReference, type SharedSchemas } from "../schema-reference.js";
import { keywordsWithin, walkSchema } from "../subschemas.js";
import { alternativesInWords } from "./alternatives-in-words.js";
import {
  annotationsOf,
  ANY_OBJECT_FORM,
  bothForms,
  patternsOf,
  UNREAD_FORM,
  type ObjectForm,
} from "./object-form.js";
import { widestObject } from "./widest-object.js";

/** Keywords at the root of an input that model APIs refuse, or do not follow. */
const REFUSED_AT_ROOT = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "enum", "const"];

/** References are followed so far in one schema. */
const MAX_REFERENCES = 1000;

/** A schema for objects whose root says by itself what it can. */
export interface FlatRoot {
  readonly schema: JsonObject;
  /** False where it accepts values that the schema refuses. */
  readonly isExact: boolean;
}

/** The keywords at the root of a schema that model APIs refuse, in the order in which they are written. */
export function refusedAtRoot(schema: JsonObject): readonly string[] {
  return Object.keys(schema).filter((name) => REFUSED_AT_ROOT.includes(name));
}

/**
 * Says a schema for objects with `type: object` and `properties` at its root, and without a combination of schemas
 * there. What `allOf` and references say is joined; of `anyOf` and `oneOf` the widest object remains, and the
 * description tells the alternatives. Every object that the schema accepts fits.
 *
 * @param shared finds the manifest's schemas, for a schema as authored; the result is then of use for `isExact` alone
 * @returns undefined where references lead to what would go
 */
export function flattenRoot(
  schema: JsonObject,
  shared: SharedSchemas = () => undefined,
): FlatRoot | undefined {
  const flattening = new Flattening(schema, shared);
  const form = flattening.flatten(schema, schema) ?? UNREAD_FORM;
  if (refersToRoot(schema, form.isExact)) return undefined;
  const { $schema, $defs, definitions, type: _type, properties, ...others } = form.keywords;
  const description = [others["description"], ...flattening.choices]
    .filter((text) => typeof text === "string")
    .join("\n\n");
  const flat = {
    ...($schema !== undefined && { $schema }),
    type: "object",
    ...others,
    ...(description !== "" && { description }),
    properties: properties ?? {},
    ...usedDefinitions({ ...others, properties: properties ?? {} }, { $defs, definitions }),
  };
  return { schema: flat, isExact: form.isExact };
}

class Flattening {
  /** What the choices ask for, in words. */
  readonly choices: string[] = [];
  readonly #dialect: Dialect;
  readonly #following = new Set<JsonSchema>();
  #references = 0;

  constructor(
    schema: JsonObject,
    private readonly shared: SharedSchemas,
  ) {
    this.#dialect = dialectOf(schema);
  }

  /** @returns undefined where no object fits */
  flatten(schema: JsonSchema, root: JsonSchema): ObjectForm | undefined {
    if (typeof schema === "boolean") return schema ? ANY_OBJECT_FORM : undefined;
    if (!allowsObjects(schema)) return undefined;
    const {
      allOf,
      anyOf,
      oneOf,
      not,
      enum: listed,
      const: constant,
      ...rest
    } = this.#inForce(schema);
    const { $ref, $dynamicRef, unevaluatedProperties: unevaluated, ...own } = rest;
    let form: ObjectForm | undefined = {
      keywords: own,
      isExact: [not, listed, constant].every((rule) => rule === undefined),
      describesAll: EVALUATING.every((name) => own[name] === undefined),
    };
    const parts = [
      ...[$ref, $dynamicRef].map((reference) => this.#referenced(reference, root)),
      ...schemasIn(allOf).map((part) => this.flatten(part, root)),
    ];
    for (const part of parts) form = form && part && bothForms(form, withoutTargets(part));
    // Of two choices, each may describe what the other leaves over.
    const leftOver = anyOf === undefined || oneOf === undefined ? unevaluated : undefined;
    for (const [keyword, rule] of [["anyOf", anyOf] as const, ["oneOf", oneOf] as const]) {
      if (form === undefined || rule === undefined) continue;
      form = this.#withChoice(form, keyword, rule, { root, unevaluated: leftOver });
    }
    return form && closed(form, unevaluated);
  }

  /** In draft-07 nothing beside a reference is in force. */
  #inForce(schema: JsonObject): JsonObject {
    if (this.#dialect !== "draft-07" || typeof schema["$ref"] !== "string") return schema;
    const { $ref, $defs, definitions } = schema;
    return {
      ...annotationsOf(schema),
      ...($defs !== undefined && { $defs }),
      ...(definitions !== undefined && { definitions }),
      $ref,
    };
  }

  #referenced(reference: JsonValue | undefined, root: JsonSchema): ObjectForm | undefined {
    if (typeof reference !== "string") return ANY_OBJECT_FORM;
    const target = resolveReference(root, reference, this.shared);
    const leadsOn = target !== undefined && !this.#following.has(target.schema);
    if (!leadsOn || this.#references++ > MAX_REFERENCES) return UNREAD_FORM;
    this.#following.add(target.schema);
    const form = this.flatten(target.schema, target.root);
    this.#following.delete(target.schema);
    return form;
  }

  #withChoice(
    form: ObjectForm,
    keyword: "anyOf" | "oneOf",
    rule: JsonValue,
    { root, unevaluated }: { root: JsonSchema; unevaluated: JsonValue | undefined },
  ): ObjectForm | undefined {
    const told = this.choices.length;
    const alternatives = schemasIn(rule)
      .map((alternative) => this.flatten(alternative, root))
      .filter((alternative) => alternative !== undefined);
    // What is said of choices within an alternative would read as if it held for all.
    this.choices.length = told;
    if (alternatives.length === 0) return undefined;
    if (alternatives.length > 1) this.choices.push(alternativesInWords(keyword, alternatives));
    const others = alternatives.map((alternative) => closedBeside(alternative, form, unevaluated));
    return bothForms(form, withoutTargets(widestObject(others)));
  }
}

function allowsObjects({ type }: JsonObject): boolean {
  return type === undefined || [type].flat().includes("object");
}

/** Without what means something at the root of a document alone. */
function withoutTargets(form: ObjectForm): ObjectForm {
  const { $defs: _defs, definitions: _definitions, $schema: _dialect, ...keywords } = form.keywords;
  return { ...form, keywords };
}

/** Keywords that evaluate properties by themselves, so that a form cannot tell which are left. */
const EVALUATING = ["if", "dependentSchemas", "dependencies"];

/** What `unevaluatedProperties` says, as what is said of additional ones. */
function closed(form: ObjectForm, unevaluated: JsonValue | undefined): ObjectForm {
  const { keywords } = form;
  if (unevaluated === undefined || keywords["additionalProperties"] !== undefined) return form;
  if (!form.describesAll) return { ...form, isExact: false };
  return { ...form, keywords: { ...keywords, additionalProperties: unevaluated } };
}

/** An alternative within a schema that says what `unevaluated` properties are: those of the others are such. */
function closedBeside(
  alternative: ObjectForm,
  beside: ObjectForm,
  unevaluated: JsonValue | undefined,
): ObjectForm {
  if (beside.keywords["additionalProperties"] !== undefined) return alternative;
  if (unevaluated === undefined || alternative.keywords["additionalProperties"] !== undefined) {
    return alternative;
  }
  if (!beside.describesAll || !alternative.describesAll) return alternative;
  const open = (map: JsonValue | undefined): JsonObject =>
    Object.fromEntries(Object.keys(isJsonObject(map) ? map : {}).map((name) => [name, true]));
  const { keywords } = alternative;
  const own = isJsonObject(keywords["properties"]) ? keywords["properties"] : {};
  const patterns = { ...open(patternsOf(beside)), ...patternsOf(alternative) };
  return {
    ...alternative,
    keywords: {
      ...keywords,
      properties: { ...open(beside.keywords["properties"]), ...own },
      ...(Object.keys(patterns).length > 0 && { patternProperties: patterns }),
      additionalProperties: unevaluated,
    },
  };
}

/** Whether references lead to what is said in another way, or anchors would be there twice. */
function refersToRoot(schema: JsonObject, isExact: boolean): boolean {
  const keywords = keywordsWithin(schema);
  if (keywords.has("$anchor") || keywords.has("$dynamicAnchor")) return true;
  return walkSchema(schema).some(([, subschema]) => {
    if (!isJsonObject(subschema) || subschema === schema) return false;
    return [...KEYWORDS.values()].some(({ name, isReference }) => {
      const reference = subschema[name];
      if (isReference !== true || typeof reference !== "string") return false;
      const target = resolveReference(schema, reference, () => undefined);
      if (target === undefined) return false;
      const [first] = target.path;
      return first === undefined ? !isExact : first !== "$defs" && first !== "definitions";
    });
  });
}

/** The definitions to which references lead, and those to which these lead. */
function usedDefinitions(
  schema: JsonObject,
  containers: Readonly<Record<"$defs" | "definitions", JsonValue | undefined>>,
): JsonObject {
  const whole: JsonObject = { ...schema };
  for (const [keyword, map] of Object.entries(containers))
    if (map !== undefined) whole[keyword] = map;
  const used = new Set<string>();
  const waiting: JsonSchema[] = [schema];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const [, subschema] of walkSchema(next)) {
      for (const [keyword, name] of definitionsAt(subschema, whole)) {
        const path = `${keyword}/${name}`;
        const map = whole[keyword];
        if (used.has(path) || !isJsonObject(map)) continue;
        used.add(path);
        waiting.push(map[name] as JsonSchema);
      }
    }
  }
  return Object.fromEntries(
    Object.entries(containers).flatMap(([keyword, map]) => {
      if (!isJsonObject(map)) return [];
      const kept = Object.entries(map).filter(([name]) => used.has(`${keyword}/${name}`));
      return kept.length > 0 ? [[keyword, Object.fromEntries(kept)]] : [];
    }),
  );
}

/** Where the references of a schema lead among the definitions of the whole. */
function definitionsAt(schema: JsonSchema, whole: JsonObject): [string, string][] {
  if (!isJsonObject(schema)) return [];
  return [schema["$ref"], schema["$dynamicRef"]].flatMap((reference): [string, string][] => {
    if (typeof reference !== "string") return [];
    const path = resolveReference(whole, reference, () => undefined)?.path ?? [];
    const [keyword, name] = path;
    return keyword === undefined || name === undefined ? [] : [[String(keyword), String(name)]];
  });
}
