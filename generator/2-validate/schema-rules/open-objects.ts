import { isJsonObject, type JsonObject } from "../../model/json.js";
import { ownValue } from "../../schema/json-schema.js";
import type { SharedSchemas } from "../../schema/schema-reference.js";
import { KEYWORDS } from "../../schema/keywords/index.js";
import { edgesOf, type SchemaEdge, type SchemaPlace } from "./schema-graph.js";

/** Keywords that say which properties an object may have beside those that are described; also that any may. */
const SAY_WHICH = ["additionalProperties", "unevaluatedProperties", "propertyNames"];

/** Keywords that list every value. */
const LIST_VALUES = ["const", "enum"];

interface Judgement {
  /** Whether it is said which properties an object may have, or no object fits. */
  readonly closed: boolean;
  /** Whether properties of an object are described here, or in what applies to the same value. */
  readonly describes: boolean;
}

/** The objects among arguments of tools that take properties which nothing describes, and do not say so. */
export class OpenObjects {
  /** In the order in which they were found, each once. */
  readonly open: SchemaPlace[] = [];
  readonly #shared: SharedSchemas;
  readonly #judgements = new Map<JsonObject, Judgement>();
  /** Schemas that were looked at for a whole value, and those for one that is closed elsewhere. */
  readonly #looked = { value: new Set<JsonObject>(), part: new Set<JsonObject>() };
  readonly #waiting: { readonly place: SchemaPlace; readonly as: "value" | "part" }[] = [];

  constructor(shared: SharedSchemas) {
    this.#shared = shared;
  }

  /** Looks through the schema of a tool's arguments. */
  addInput(schema: JsonObject): void {
    const root = { schema, root: schema, path: [] };
    const { closed, describes } = this.#judge(root);
    // Arguments are an object, also where none of its properties is described.
    if (!closed && !describes && !this.#looked.value.has(schema)) this.open.push(root);
    this.#waiting.push({ place: root, as: "value" });
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
      if (this.#looked[next.as].has(next.place.schema)) continue;
      this.#looked[next.as].add(next.place.schema);
      this.#look(next.place, next.as);
    }
  }

  /** Notes an open object, and what is to be looked at besides. */
  #look(place: SchemaPlace, as: "value" | "part"): void {
    const { schema, path } = place;
    const edges = [...edgesOf(place, this.#shared)].filter((edge) => isAsked(edge, place));
    const { closed, describes } = this.#judge(place);
    const isOpen = as === "value" && !closed && describes;
    const delegates = edges.filter(
      (edge) => isChoice(edge, place) && this.#judge(edge.to).describes,
    );
    const isHere = isOpen && (delegates.length === 0 || hasProperties(schema));
    if (isHere) this.open.push({ ...place, path: [...path] });
    for (const edge of edges) {
      const isWhole = !edge.samePlace || (isOpen && !isHere && isChoice(edge, place));
      this.#waiting.push({ place: edge.to, as: isWhole ? "value" : "part" });
    }
  }

  #judge(place: SchemaPlace): Judgement {
    const { schema } = place;
    const judged = this.#judgements.get(schema);
    if (judged !== undefined) return judged;
    // Schemas that lead back to themselves at the same value are reported elsewhere.
    this.#judgements.set(schema, { closed: true, describes: false });
    const applied = [...edgesOf(place, this.#shared)]
      .filter((edge) => edge.samePlace && isAsked(edge, place))
      .map((edge) => ({ edge, ...this.#judge(edge.to) }));
    const judgement = {
      closed:
        saysWhich(schema) ||
        leadsNowhere(schema, applied.length) ||
        applied.some(({ edge, closed }) => closed && isAlways(edge, place)) ||
        ["anyOf", "oneOf"].some((keyword) => this.#isEachClosed(place, keyword)),
      describes: hasProperties(schema) || applied.some(({ describes }) => describes),
    };
    this.#judgements.set(schema, judgement);
    return judgement;
  }

  #isEachClosed({ schema, root, path }: SchemaPlace, keyword: string): boolean {
    const choices = ownValue(schema, keyword);
    if (!Array.isArray(choices) || choices.length === 0) return false;
    return choices.every((choice, index) =>
      isJsonObject(choice)
        ? this.#judge({ schema: choice, root, path: [...path, keyword, index] }).closed
        : choice === false,
    );
  }
}

/** The keyword through which a schema applies another; undefined for a reference. */
function keywordOf({ reference, to }: SchemaEdge, { path }: SchemaPlace): unknown {
  return reference === undefined ? to.path[path.length] : undefined;
}

/** Whether values among the arguments must fit the other schema. */
function isAsked(edge: SchemaEdge, from: SchemaPlace): boolean {
  const keyword = keywordOf(edge, from);
  return keyword !== "contains" && KEYWORDS.get(String(keyword))?.isTentative !== true;
}

/** Whether a value that fits one schema fits the other in any case. */
const isAlways = (edge: SchemaEdge, from: SchemaPlace): boolean =>
  edge.reference !== undefined || keywordOf(edge, from) === "allOf";

/** Whether the other schema may be all that describes the value. */
const isChoice = (edge: SchemaEdge, from: SchemaPlace): boolean =>
  edge.reference !== undefined || ["anyOf", "oneOf"].includes(String(keywordOf(edge, from)));

function hasProperties(schema: JsonObject): boolean {
  const properties = ownValue(schema, "properties");
  return isJsonObject(properties) && Object.keys(properties).length > 0;
}

function saysWhich(schema: JsonObject): boolean {
  const { type, maxProperties } = schema;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return (
    (type !== undefined && !types.includes("object")) ||
    maxProperties === 0 ||
    [...SAY_WHICH, ...LIST_VALUES].some((keyword) => Object.hasOwn(schema, keyword))
  );
}

/** A reference that cannot be followed, or leads to no mapping, says nothing that could be open. */
function leadsNowhere(schema: JsonObject, applied: number): boolean {
  return Object.hasOwn(schema, "$ref") && applied === 0;
}
