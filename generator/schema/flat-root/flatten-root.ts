import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import { dialectOf, type Dialect } from "../json-schema.js";
import { KEYWORDS } from "../keywords/index.js";
import { schemasIn } from "../keyword-values.js";
import { resolveReference, type SharedSchemas } from "../schema-reference.js";
import { keywordsWithin, walkSchema } from "../subschemas.js";
import { alternativesInWords } from "./alternatives-in-words.js";
import { DescribedNames, type NameTest } from "./described-names.js";
import {
  annotationsOf,
  ANY_OBJECT_FORM,
  bothForms,
  patternsOf,
  UNREAD_FORM,
  type ObjectForm,
} from "./object-form.js";
import { widestObject } from "./widest-object.js";

/** Keywords that model APIs refuse or ignore at the root of an input schema. */
const REFUSED_AT_ROOT = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "enum", "const"];

/** The most references that are followed in one schema. */
const MAX_REFERENCES = 1000;

/** A schema for objects whose root has none of the keywords that model APIs refuse. */
export interface FlatRoot {
  readonly schema: JsonObject;
  /** False if it accepts values that the original schema refuses. */
  readonly isExact: boolean;
}

/** The keywords at the root of a schema that model APIs refuse, in the order of the text. */
export function refusedAtRoot(schema: JsonObject): readonly string[] {
  return Object.keys(schema).filter((name) => REFUSED_AT_ROOT.includes(name));
}

/**
 * Rewrites a schema for objects so that its root has `type: object` and `properties`, and no combination of schemas.
 * Schemas of `allOf` and references are joined. From `anyOf` and `oneOf` it makes a schema that accepts what any
 * alternative describes, and it lists the alternatives in the description. The result accepts every object that the
 * schema accepts, unless a property of one alternative is sent with another one that says nothing of it: see
 * {@link widestObject}. Only lists for clients have the result; servers check arguments by the schema itself.
 *
 * @param shared finds the manifest's schemas, for a schema as written there; only `isExact` of the result is usable then
 * @returns undefined if references lead to subschemas that the result would not have
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
  /** The descriptions of the alternatives of each `anyOf` and `oneOf`. */
  readonly choices: string[] = [];
  readonly #dialect: Dialect;
  readonly #following = new Set<JsonSchema>();
  readonly #names: DescribedNames;
  #references = 0;

  constructor(
    schema: JsonObject,
    private readonly shared: SharedSchemas,
  ) {
    this.#dialect = dialectOf(schema);
    this.#names = new DescribedNames(shared);
  }

  /**
   * Returns undefined if no object fits.
   *
   * @param isDescribedBeside true for the properties of which what holds beside the schema says something
   */
  flatten(
    schema: JsonSchema,
    root: JsonSchema,
    isDescribedBeside: NameTest = () => false,
  ): ObjectForm | undefined {
    if (typeof schema === "boolean") return schema ? ANY_OBJECT_FORM : undefined;
    if (!allowsObjects(schema)) return undefined;
    const {
      allOf,
      anyOf,
      oneOf,
      not,
      enum: listed,
      const: constant,
      $ref,
      $dynamicRef,
      unevaluatedProperties: unevaluated,
      ...keywords
    } = this.#inForce(schema);
    let form: ObjectForm | undefined = {
      keywords,
      isExact: [not, listed, constant].every((rule) => rule === undefined),
      describesAll: EVALUATING.every((name) => keywords[name] === undefined),
      isConditional: this.#conditional(keywords, root),
    };
    const members = schemasIn(allOf);
    const parts: JsonObject[] = [
      keywords,
      ...[$ref, $dynamicRef].map((reference) =>
        reference === undefined ? {} : { $ref: reference },
      ),
      ...members.map((member) => ({ allOf: [member] })),
      ...[{ anyOf }, { oneOf }].map((choice) => choice as JsonObject),
    ];
    const besides = this.#besides(parts, root, isDescribedBeside);
    const addedForms = [
      ...[$ref, $dynamicRef].map((reference, index) =>
        this.#referenced(reference, root, besides(1 + index)),
      ),
      ...members.map((member, index) => this.flatten(member, root, besides(3 + index))),
    ];
    for (const other of addedForms) form = form && other && bothForms(form, withoutTargets(other));
    // If there are both `anyOf` and `oneOf`, each may describe properties that the other does not.
    const beyondChoice = anyOf === undefined || oneOf === undefined ? unevaluated : undefined;
    for (const [index, keyword, rule] of [
      [parts.length - 2, "anyOf", anyOf] as const,
      [parts.length - 1, "oneOf", oneOf] as const,
    ]) {
      if (form === undefined || rule === undefined) continue;
      const place = { root, unevaluated: beyondChoice, isDescribedBeside: besides(index) };
      form = this.#withChoice(form, keyword, rule, place);
    }
    return form && closed(form, unevaluated);
  }

  /** The test for the properties of which the conditions of a schema say something. */
  #conditional(keywords: JsonObject, root: JsonSchema): NameTest {
    const found = CONDITIONAL.filter((name) => keywords[name] !== undefined);
    if (found.length === 0) return () => false;
    const conditions = Object.fromEntries(found.map((name) => [name, keywords[name] ?? true]));
    return this.#names.test(conditions, root);
  }

  /** For each part of a schema, by its index: the test for properties of which the other parts say something. */
  #besides(
    parts: readonly JsonObject[],
    root: JsonSchema,
    isDescribedBeside: NameTest,
  ): (index: number) => NameTest {
    let tests: readonly NameTest[] | undefined;
    return (index) => (name) => {
      tests ??= parts.map((part) => this.#names.test(part, root));
      return isDescribedBeside(name) || tests.some((test, other) => other !== index && test(name));
    };
  }

  /** The keywords that are in force: draft-07 ignores all keywords beside `$ref`. */
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

  #referenced(
    reference: JsonValue | undefined,
    root: JsonSchema,
    isDescribedBeside: NameTest,
  ): ObjectForm | undefined {
    if (typeof reference !== "string") return ANY_OBJECT_FORM;
    const target = resolveReference(root, reference, this.shared);
    const leadsOn = target !== undefined && !this.#following.has(target.schema);
    if (!leadsOn || this.#references++ > MAX_REFERENCES) return UNREAD_FORM;
    this.#following.add(target.schema);
    const form = this.flatten(target.schema, target.root, isDescribedBeside);
    this.#following.delete(target.schema);
    return form;
  }

  #withChoice(
    form: ObjectForm,
    keyword: "anyOf" | "oneOf",
    rule: JsonValue,
    { root, unevaluated, isDescribedBeside }: PlaceOfChoice,
  ): ObjectForm | undefined {
    const choiceCount = this.choices.length;
    const alternatives = schemasIn(rule)
      .map((alternative) => this.flatten(alternative, root, isDescribedBeside))
      .filter((alternative) => alternative !== undefined);
    // The descriptions of choices within one alternative would read as if they held for all alternatives.
    this.choices.length = choiceCount;
    if (alternatives.length === 0) return undefined;
    if (alternatives.length > 1) this.choices.push(alternativesInWords(keyword, alternatives));
    const closedAlternatives = alternatives.map((alternative) =>
      closedBeside(alternative, form, unevaluated),
    );
    return bothForms(form, withoutTargets(widestObject(closedAlternatives, isDescribedBeside)));
  }
}

/** What holds beside an `anyOf` or a `oneOf`. */
interface PlaceOfChoice {
  readonly root: JsonSchema;
  readonly unevaluated: JsonValue | undefined;
  readonly isDescribedBeside: NameTest;
}

function allowsObjects({ type }: JsonObject): boolean {
  return type === undefined || [type].flat().includes("object");
}

/** Removes keywords that have a meaning only at the root of a document. */
function withoutTargets(form: ObjectForm): ObjectForm {
  const { $defs: _defs, definitions: _definitions, $schema: _dialect, ...keywords } = form.keywords;
  return { ...form, keywords };
}

/** Keywords that may evaluate properties that the form does not describe. */
const EVALUATING = ["if", "dependentSchemas", "dependencies"];
const CONDITIONAL = [...EVALUATING, "then", "else"];

/** Turns `unevaluatedProperties` into `additionalProperties`. */
function closed(form: ObjectForm, unevaluated: JsonValue | undefined): ObjectForm {
  const { keywords } = form;
  if (unevaluated === undefined || keywords["additionalProperties"] !== undefined) return form;
  if (!form.describesAll) return { ...form, isExact: false };
  return { ...form, keywords: { ...keywords, additionalProperties: unevaluated } };
}

/** Turns `unevaluatedProperties` of a schema into `additionalProperties` of one of its alternatives. */
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
  const unrestricted = (map: JsonValue | undefined): JsonObject =>
    Object.fromEntries(Object.keys(isJsonObject(map) ? map : {}).map((name) => [name, true]));
  const { keywords } = alternative;
  const properties = isJsonObject(keywords["properties"]) ? keywords["properties"] : {};
  const patterns = { ...unrestricted(patternsOf(beside)), ...patternsOf(alternative) };
  return {
    ...alternative,
    keywords: {
      ...keywords,
      properties: { ...unrestricted(beside.keywords["properties"]), ...properties },
      ...(Object.keys(patterns).length > 0 && { patternProperties: patterns }),
      additionalProperties: unevaluated,
    },
  };
}

/** True if references lead to subschemas that the flat schema does not have, or anchors would occur twice. */
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

/** The definitions to which references lead, directly or through other definitions. */
function usedDefinitions(
  schema: JsonObject,
  containers: Readonly<Record<"$defs" | "definitions", JsonValue | undefined>>,
): JsonObject {
  const document: JsonObject = { ...schema };
  for (const [keyword, map] of Object.entries(containers)) {
    if (map !== undefined) document[keyword] = map;
  }
  const usedPaths = new Set<string>();
  const pending: JsonSchema[] = [schema];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const [, subschema] of walkSchema(next)) {
      for (const [keyword, name] of referencedDefinitions(subschema, document)) {
        const path = `${keyword}/${name}`;
        const map = document[keyword];
        if (usedPaths.has(path) || !isJsonObject(map)) continue;
        usedPaths.add(path);
        pending.push(map[name] as JsonSchema);
      }
    }
  }
  return Object.fromEntries(
    Object.entries(containers).flatMap(([keyword, map]) => {
      if (!isJsonObject(map)) return [];
      const usedEntries = Object.entries(map).filter(([name]) =>
        usedPaths.has(`${keyword}/${name}`),
      );
      return usedEntries.length > 0 ? [[keyword, Object.fromEntries(usedEntries)]] : [];
    }),
  );
}

/** The definitions to which the references of one schema lead, as keyword and name: `["$defs", "City"]`. */
function referencedDefinitions(schema: JsonSchema, document: JsonObject): [string, string][] {
  if (!isJsonObject(schema)) return [];
  return [schema["$ref"], schema["$dynamicRef"]].flatMap((reference): [string, string][] => {
    if (typeof reference !== "string") return [];
    const path = resolveReference(document, reference, () => undefined)?.path ?? [];
    const [keyword, name] = path;
    return keyword === undefined || name === undefined ? [] : [[String(keyword), String(name)]];
  });
}
