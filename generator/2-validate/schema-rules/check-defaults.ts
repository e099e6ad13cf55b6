import type { Diagnostic } from "../../model/diagnostic.js";
import type { JsonObject } from "../../model/json.js";
import { ownValue } from "../../schema/json-schema.js";
import { defaultOfOuterLevel, defaultWithoutEffect } from "../../model/catalogue/schema-meaning.js";
import { edgesOf, type SchemaEdge, type SchemaPlace } from "../../schema/schema-graph.js";
import { placeOf, type SchemaDocument } from "./schema-document.js";

/**
 * How a schema is reached from the arguments of a call: through a property that the server fills in if it
 * is missing, or in a way in which the schema's own default has no effect.
 */
type Reach = "filled" | "required" | "never missing" | Unreached;

/** A schema under a keyword that applies to some arguments only, or to any number of values. */
interface Unreached {
  readonly keyword: string;
}

/** Keywords whose target applies to the same value, so that it is reached in the same way. */
const SAME_VALUE: ReadonlySet<unknown> = new Set(["$ref", "allOf"]);

/**
 * Reports defaults in inputs of tools that the server never fills in, or not at every level. The server
 * fills in properties that may be missing and that it reaches through `properties`, `items`, `$ref` and
 * `allOf`. It goes through a recursive schema once.
 *
 * @param inputs the schemas of tools' arguments
 * @param shared the manifest's own schemas, which references lead to
 */
export function* checkDefaults(
  inputs: readonly SchemaDocument[],
  shared: readonly SchemaDocument[],
): Generator<Diagnostic> {
  const documents = new Map([...inputs, ...shared].map((document) => [document.root, document]));
  const reached = new Map<JsonObject, Reached>();
  for (const document of inputs) {
    const { root } = document;
    follow({ schema: root, root, path: [] }, "never missing", document, reached);
  }
  const inside = insideCircles(reached);
  for (const { place, reaches } of reached.values()) {
    const document = documents.get(place.root);
    if (document === undefined || ownValue(place.schema, "default") === undefined) continue;
    const reason = reasonOf(place, reaches, document);
    const at = placeOf(document, [...place.path, "default"], "key");
    if (reason !== undefined) yield defaultWithoutEffect(at, { reason });
    else if (reaches.has("filled") && inside.has(place.schema)) yield defaultOfOuterLevel(at, {});
  }
}

interface Reached {
  readonly place: SchemaPlace;
  /** The ways in which it is reached, by name, so that each is followed once. */
  readonly reaches: Map<string, Reach>;
  /** The schemas in which the server goes on to fill in defaults. */
  readonly next: Set<JsonObject>;
}

/**
 * The schemas that lead back to themselves, and those to which these lead. The function removes schemas to
 * which no remaining schema leads, until there are none.
 */
function insideCircles(reached: ReadonlyMap<JsonObject, Reached>): ReadonlySet<JsonObject> {
  const remaining = new Set(reached.keys());
  const predecessors = new Map<JsonObject, number>();
  for (const { next } of reached.values()) {
    for (const schema of next) predecessors.set(schema, (predecessors.get(schema) ?? 0) + 1);
  }
  const removable = [...remaining].filter((schema) => !predecessors.has(schema));
  for (let schema = removable.pop(); schema !== undefined; schema = removable.pop()) {
    remaining.delete(schema);
    for (const following of reached.get(schema)?.next ?? []) {
      const others = (predecessors.get(following) ?? 0) - 1;
      predecessors.set(following, others);
      if (others === 0) removable.push(following);
    }
  }
  return remaining;
}

function follow(
  start: SchemaPlace,
  startReach: Reach,
  { run }: SchemaDocument,
  reached: Map<JsonObject, Reached>,
): void {
  const pending: [SchemaPlace, Reach][] = [[start, startReach]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [place, reach] = next;
    const entry: Reached = reached.get(place.schema) ?? {
      place,
      reaches: new Map(),
      next: new Set(),
    };
    reached.set(place.schema, entry);
    const name = typeof reach === "string" ? reach : "unreached";
    if (entry.reaches.has(name)) continue;
    entry.reaches.set(name, reach);
    for (const edge of edgesOf(place, run.shared)) {
      const nextReach = reachThrough(edge, place, reach);
      if (typeof nextReach === "string") entry.next.add(edge.to.schema);
      pending.push([edge.to, nextReach]);
    }
  }
}

function reachThrough(edge: SchemaEdge, { schema, path }: SchemaPlace, reach: Reach): Reach {
  const [keyword, step] =
    edge.reference === undefined ? edge.to.path.slice(path.length) : referenceOf(edge, schema);
  if (typeof reach !== "string" || SAME_VALUE.has(keyword)) return reach;
  if (keyword === "items" && step === undefined) return "never missing";
  if (keyword !== "properties") return { keyword: String(keyword) };
  const required = ownValue(schema, "required");
  return Array.isArray(required) && required.includes(String(step)) ? "required" : "filled";
}

function referenceOf({ reference }: SchemaEdge, schema: JsonObject): [string] {
  return [ownValue(schema, "$ref") === reference ? "$ref" : "$dynamicRef"];
}

/** The reason why a default has no effect. Undefined if it has one. */
function reasonOf(
  { schema, path }: SchemaPlace,
  reaches: ReadonlyMap<string, Reach>,
  { dialect }: SchemaDocument,
): string | undefined {
  const value = ownValue(schema, "default");
  if (dialect === "draft-07" && Object.hasOwn(schema, "$ref")) {
    return 'in draft-07 nothing counts beside "$ref"';
  }
  if (reaches.has("filled")) return undefined;
  if (reaches.has("required")) return "the property is required";
  const unreached = reaches.get("unreached");
  if (typeof unreached === "object") return `it stands under "${unreached.keyword}"`;
  // Some programs write an empty default for the arguments as a whole. It is harmless.
  if (path.length === 0 && JSON.stringify(value) === "{}") return undefined;
  return path.length === 0 ? "arguments as a whole are never missing" : "an item is never missing";
}
