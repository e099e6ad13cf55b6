import type { Diagnostic } from "../../model/diagnostic.js";
import type { JsonObject } from "../../model/json.js";
import { ownValue } from "../../schema/json-schema.js";
import { defaultOfOuterLevel, defaultWithoutEffect } from "../../model/catalogue/schema-meaning.js";
import { edgesOf, type SchemaEdge, type SchemaPlace } from "./schema-graph.js";
import { placeOf, type SchemaDocument } from "./schema-document.js";

/**
 * How a schema is reached from the arguments of a call: as that of a property which is filled in when
 * it is missing, or in a way in which its own default means nothing.
 */
type Reach = "filled" | "required" | "never missing" | Unreached;

/** Under a keyword of which it depends on the arguments whether, and for how many values, it holds. */
interface Unreached {
  readonly keyword: string;
}

/** Keywords that hand on how their schema was reached. */
const SAME_VALUE: ReadonlySet<unknown> = new Set(["$ref", "allOf"]);

/**
 * The defaults in the inputs of tools that the server never fills in, or not at every level: it does
 * so for properties that are reached through `properties`, `items`, `$ref` and `allOf`, and may be
 * missing, and goes through a schema once where that leads back to itself.
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
  for (const { place, ways } of reached.values()) {
    const document = documents.get(place.root);
    if (document === undefined || ownValue(place.schema, "default") === undefined) continue;
    const reason = reasonOf(place, ways, document);
    const at = placeOf(document, [...place.path, "default"], "key");
    if (reason !== undefined) yield defaultWithoutEffect(at, { reason });
    else if (ways.has("filled") && inside.has(place.schema)) yield defaultOfOuterLevel(at, {});
  }
}

interface Reached {
  readonly place: SchemaPlace;
  /** By the name of the way, so that each is followed once. */
  readonly ways: Map<string, Reach>;
  /** The schemas that it hands defaults on to. */
  readonly next: Set<JsonObject>;
}

/** The schemas that lead back to themselves, and those that they lead to: what is left when all others are taken away from the front. */
function insideCircles(reached: ReadonlyMap<JsonObject, Reached>): ReadonlySet<JsonObject> {
  const left = new Set(reached.keys());
  const leading = new Map<JsonObject, number>();
  for (const { next } of reached.values()) {
    for (const schema of next) leading.set(schema, (leading.get(schema) ?? 0) + 1);
  }
  const first = [...left].filter((schema) => !leading.has(schema));
  for (let schema = first.pop(); schema !== undefined; schema = first.pop()) {
    left.delete(schema);
    for (const following of reached.get(schema)?.next ?? []) {
      const others = (leading.get(following) ?? 0) - 1;
      leading.set(following, others);
      if (others === 0) first.push(following);
    }
  }
  return left;
}

function follow(
  start: SchemaPlace,
  way: Reach,
  { run }: SchemaDocument,
  reached: Map<JsonObject, Reached>,
): void {
  const waiting: [SchemaPlace, Reach][] = [[start, way]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [place, reach] = next;
    const found: Reached = reached.get(place.schema) ?? { place, ways: new Map(), next: new Set() };
    reached.set(place.schema, found);
    const name = typeof reach === "string" ? reach : "unreached";
    if (found.ways.has(name)) continue;
    found.ways.set(name, reach);
    for (const edge of edgesOf(place, run.shared)) {
      const further = reachThrough(edge, place, reach);
      if (typeof further === "string") found.next.add(edge.to.schema);
      waiting.push([edge.to, further]);
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

/** Why a default has no effect; undefined where it has one. */
function reasonOf(
  { schema, path }: SchemaPlace,
  ways: ReadonlyMap<string, Reach>,
  { dialect }: SchemaDocument,
): string | undefined {
  const value = ownValue(schema, "default");
  if (dialect === "draft-07" && Object.hasOwn(schema, "$ref")) {
    return 'in draft-07 nothing counts beside "$ref"';
  }
  if (ways.has("filled")) return undefined;
  if (ways.has("required")) return "the property is required";
  const unreached = ways.get("unreached");
  if (typeof unreached === "object") return `it stands under "${unreached.keyword}"`;
  // Some tools write an empty default for the arguments as a whole, which changes nothing.
  if (path.length === 0 && JSON.stringify(value) === "{}") return undefined;
  return path.length === 0 ? "arguments as a whole are never missing" : "an item is never missing";
}
