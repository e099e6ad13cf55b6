import { isJsonObject, type JsonObject } from "../../model/json.js";
import { ownValue } from "../../schema/json-schema.js";
import type { SharedSchemas } from "../../schema/schema-reference.js";
import {
  edgesOf,
  isBinding,
  keywordOf,
  type SchemaEdge,
  type SchemaPlace,
} from "../../schema/schema-graph.js";

/** Keywords that say which properties an object may have beside the described ones, even if that is any. */
const CLOSING_KEYWORDS = ["additionalProperties", "unevaluatedProperties", "propertyNames"];

/** Keywords that list all allowed values. */
const LISTING_KEYWORDS = ["const", "enum"];

interface PropertyRules {
  /** True if the schema says which properties an object may have, or if no object fits it. */
  readonly closed: boolean;
  /** True if the schema, or one that applies to the same value, describes properties. */
  readonly describes: boolean;
}

/** Finds the objects in arguments of tools that accept properties which nothing describes, without saying so. */
export class OpenObjects {
  /** Each open object once, in the order in which they were found. */
  readonly open: SchemaPlace[] = [];
  readonly #shared: SharedSchemas;
  readonly #propertyRules = new Map<JsonObject, PropertyRules>();
  /** Schemas that were visited as the schema of a value, and as a part of another schema for the same value. */
  readonly #visited = { value: new Set<JsonObject>(), part: new Set<JsonObject>() };
  readonly #pending: { readonly place: SchemaPlace; readonly as: "value" | "part" }[] = [];

  constructor(shared: SharedSchemas) {
    this.#shared = shared;
  }

  /** Searches the schema of a tool's arguments. */
  addInput(schema: JsonObject): void {
    const root = { schema, root: schema, path: [] };
    const { closed, describes } = this.#propertyRulesOf(root);
    // The arguments are an object, even if none of its properties is described.
    if (!closed && !describes && !this.#visited.value.has(schema)) this.open.push(root);
    this.#pending.push({ place: root, as: "value" });
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) {
      if (this.#visited[next.as].has(next.place.schema)) continue;
      this.#visited[next.as].add(next.place.schema);
      this.#visit(next.place, next.as);
    }
  }

  /** Records an open object, and queues the schemas that this one applies. */
  #visit(place: SchemaPlace, as: "value" | "part"): void {
    const { schema, path } = place;
    const edges = edgesOf(place, this.#shared).filter((edge) => isRequired(edge, place));
    const { closed, describes } = this.#propertyRulesOf(place);
    const isOpen = as === "value" && !closed && describes;
    const delegates = edges.filter(
      (edge) => isChoice(edge, place) && this.#propertyRulesOf(edge.to).describes,
    );
    const isOpenHere = isOpen && (delegates.length === 0 || hasProperties(schema));
    if (isOpenHere) this.open.push({ ...place, path: [...path] });
    for (const edge of edges) {
      const isValueSchema = !edge.samePlace || (isOpen && !isOpenHere && isChoice(edge, place));
      this.#pending.push({ place: edge.to, as: isValueSchema ? "value" : "part" });
    }
  }

  #propertyRulesOf(place: SchemaPlace): PropertyRules {
    const { schema } = place;
    const cached = this.#propertyRules.get(schema);
    if (cached !== undefined) return cached;
    // Another rule reports schemas that apply themselves to the same value.
    this.#propertyRules.set(schema, { closed: true, describes: false });
    const applied = edgesOf(place, this.#shared)
      .filter((edge) => edge.samePlace && isRequired(edge, place))
      .map((edge) => ({ edge, ...this.#propertyRulesOf(edge.to) }));
    const propertyRules = {
      closed:
        isClosedByKeyword(schema) ||
        leadsNowhere(schema, applied.length) ||
        applied.some(({ edge, closed }) => closed && isAlways(edge, place)) ||
        ["anyOf", "oneOf"].some((keyword) => this.#isEachClosed(place, keyword)),
      describes: hasProperties(schema) || applied.some(({ describes }) => describes),
    };
    this.#propertyRules.set(schema, propertyRules);
    return propertyRules;
  }

  #isEachClosed({ schema, root, path }: SchemaPlace, keyword: string): boolean {
    const choices = ownValue(schema, keyword);
    if (!Array.isArray(choices) || choices.length === 0) return false;
    return choices.every((choice, index) =>
      isJsonObject(choice)
        ? this.#propertyRulesOf({ schema: choice, root, path: [...path, keyword, index] }).closed
        : choice === false,
    );
  }
}

/** True if values in the arguments must fit the other schema. */
function isRequired(edge: SchemaEdge, from: SchemaPlace): boolean {
  return keywordOf(edge, from) !== "contains" && isBinding(edge, from);
}

/** True if a value that fits one schema always fits the other. */
const isAlways = (edge: SchemaEdge, from: SchemaPlace): boolean =>
  edge.reference !== undefined || keywordOf(edge, from) === "allOf";

/** True if the other schema may be the only one that describes the value. */
const isChoice = (edge: SchemaEdge, from: SchemaPlace): boolean =>
  edge.reference !== undefined || ["anyOf", "oneOf"].includes(String(keywordOf(edge, from)));

function hasProperties(schema: JsonObject): boolean {
  const properties = ownValue(schema, "properties");
  return isJsonObject(properties) && Object.keys(properties).length > 0;
}

function isClosedByKeyword(schema: JsonObject): boolean {
  const { type, maxProperties } = schema;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return (
    (type !== undefined && !types.includes("object")) ||
    maxProperties === 0 ||
    isClosingKeywordIndented(schema) ||
    [...CLOSING_KEYWORDS, ...LISTING_KEYWORDS].some((keyword) => Object.hasOwn(schema, keyword))
  );
}

/** True if `additionalProperties` stands under `properties` by mistake, where another rule reports it. */
function isClosingKeywordIndented(schema: JsonObject): boolean {
  const properties = ownValue(schema, "properties");
  return isJsonObject(properties) && typeof properties["additionalProperties"] === "boolean";
}

/** True for a reference that has no target, or whose target is no mapping. Nothing is open there. */
function leadsNowhere(schema: JsonObject, applied: number): boolean {
  return Object.hasOwn(schema, "$ref") && applied === 0;
}
