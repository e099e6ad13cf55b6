import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import {
  NotImportable,
  pathOfReference,
  pointerTo,
  referenceIn,
  type DocumentPath,
  type Located,
} from "./api-document.js";
import type { SchemaContext } from "./schema-context.js";

/**
 * Schemas that apply themselves to the same value, in the end: a base names its subtypes in `oneOf`, and each subtype
 * has the base in its `allOf`. Such references never end, and are cut where they lose nothing that a person would miss.
 */

/** The keywords whose schemas are other forms of a value. */
const ALTERNATIVES = ["oneOf", "anyOf"] as const;

type Applicator = (typeof ALTERNATIVES)[number] | "allOf";

/** The parts of `allOf`, or the alternatives of `oneOf` or `anyOf`, that may stay. */
export interface KeptParts {
  readonly parts: readonly Located[];
  /** The parts that are replaced by a reference to their base, by their index among those that stay. */
  readonly bases: ReadonlyMap<number, DocumentPath>;
}

/**
 * Cuts the references that lead back to a schema from the parts of its `allOf`. A part that leads back by its
 * alternatives stays without them; one that leads back by `allOf` alone says nothing more, and is left out.
 */
export function endingParts(
  value: readonly JsonValue[],
  at: Located,
  context: SchemaContext,
): KeptParts {
  const parts: Located[] = [];
  const bases = new Map<number, DocumentPath>();
  for (const part of partsOf(value, at, "allOf")) {
    const base = leadsBack(part, at, ["allOf", ...ALTERNATIVES], context)
      ? baseOf(part, at, context)
      : "whole";
    if (base === "none") {
      context.omit("a part of allOf is left out, which leads back to the schema", part.path);
      continue;
    }
    if (base !== "whole") bases.set(parts.length, base);
    parts.push(part);
  }
  return { parts, bases };
}

/** The alternatives of a schema, without those that are the schema itself again. */
export function endingAlternatives(
  value: readonly JsonValue[],
  at: Located,
  keyword: (typeof ALTERNATIVES)[number],
  context: SchemaContext,
): Located[] {
  return partsOf(value, at, keyword).filter((part) => {
    if (!leadsBack(part, at, ALTERNATIVES, context)) return true;
    context.omit(`an alternative of ${keyword} is left out, which is the schema itself`, part.path);
    return false;
  });
}

function partsOf(value: readonly JsonValue[], { path }: Located, keyword: Applicator): Located[] {
  return value.map((part, index) => ({ value: part, path: [...path, keyword, index] }));
}

/** What may stay of a part of `allOf` that leads back: the path of its base, nothing, or all if another cut ends it. */
function baseOf(
  part: Located,
  at: Located,
  context: SchemaContext,
): DocumentPath | "none" | "whole" {
  if (leadsBack(part, at, ["allOf"], context)) return "none";
  const { value, path } = context.follow(part);
  const base = withoutAlternatives(value);
  if (base === value) return "whole";
  return leadsBack({ value: base, path }, at, ["allOf", ...ALTERNATIVES], context) ? "whole" : path;
}

/** A schema without its alternatives, and those of the parts that stand in its `allOf`. The same value if it has none. */
export function withoutAlternatives(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  const parts = ownValue(value, "allOf");
  const kept = Array.isArray(parts) ? parts.map(withoutAlternatives) : undefined;
  const hasOwn = ALTERNATIVES.some((key) => ownValue(value, key) !== undefined);
  const hasOthers =
    kept !== undefined && kept.some((part, index) => part !== (parts as JsonValue[])[index]);
  if (!hasOwn && !hasOthers) return value;
  const { oneOf: _oneOf, anyOf: _anyOf, discriminator: _discriminator, ...others } = value;
  return { ...others, ...(kept !== undefined && { allOf: kept }) } as JsonObject;
}

/** True if a schema applies the one at a path to the same value, by references and some keywords. */
function leadsBack(
  from: Located,
  { path: target }: Located,
  keywords: readonly Applicator[],
  context: SchemaContext,
): boolean {
  const goal = pointerTo(target);
  const visited = new Set<string>();
  const pending: Located[] = [from];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, path } = next;
    const pointer = pointerTo(path);
    if (pointer === goal) return true;
    if (visited.has(pointer) || !isJsonObject(value)) continue;
    visited.add(pointer);
    for (const keyword of keywords) {
      const list = ownValue(value, keyword);
      if (Array.isArray(list)) pending.push(...partsOf(list, next, keyword));
    }
    const referred = referredBy(value, path, context);
    // A schema with rules beside its reference has both, as in `allOf`.
    const isOther = context.allowsReferenceSiblings && Object.keys(value).some(isRule);
    if (referred !== undefined && (!isOther || keywords.includes("allOf"))) pending.push(referred);
  }
  return false;
}

const isRule = (key: string): boolean => !["$ref", "title", "description", "summary"].includes(key);

/** The schema that a reference names, without going on from there. Undefined if there is none. */
function referredBy(
  value: JsonObject,
  from: DocumentPath,
  context: SchemaContext,
): Located | undefined {
  const reference = referenceIn(value);
  if (reference === undefined) return undefined;
  try {
    const path = pathOfReference(reference, from);
    return { value: context.valueAt(path) ?? null, path };
  } catch (error) {
    if (!(error instanceof NotImportable)) throw error;
    return undefined;
  }
}
