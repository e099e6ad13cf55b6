import { isJsonObject, type JsonSchema } from "../model/json.js";
import { type SchemaPath } from "./json-schema.js";
import { subschemaAt, walkSchema } from "./subschemas.js";

/** What the text of a `$ref` or `$dynamicRef` asks for, before anything is looked up. */
export type ParsedReference =
  /** Another document, by URI or path. Nothing is ever opened. */
  | { readonly kind: "external" }
  /** Broken percent-encoding. */
  | { readonly kind: "malformed" }
  /** `#/schemas/Name`, with what follows the name. */
  | { readonly kind: "shared"; readonly name: string; readonly pointer: readonly string[] }
  /** `#` or `#/…`: a pointer from the root of the enclosing schema. */
  | { readonly kind: "pointer"; readonly pointer: readonly string[] }
  /** `#name`: an `$anchor` or `$dynamicAnchor` of the enclosing schema. */
  | { readonly kind: "anchor"; readonly name: string };

/** The schema that a reference leads to. */
export interface ReferenceTarget {
  readonly schema: JsonSchema;
  /** The schema within which the target stands: the one that holds the reference, or a shared one. */
  readonly root: JsonSchema;
  /** The target's path from `root`. */
  readonly path: SchemaPath;
  /** The name under the manifest's `schemas` where `root` is a shared schema. */
  readonly sharedName?: string;
}

/** Finds an entry of the manifest's `schemas`. */
export type SharedSchemas = (name: string) => JsonSchema | undefined;

/** What the text of a schema has that refers to another. */
const REFERENCE = /"\$(?:ref|dynamicRef)":/;

/** Whether a value, as it is written in JSON, may have a schema that refers to another one. */
export function mayRefer(written: string): boolean {
  return REFERENCE.test(written);
}

/** Reads a reference: percent-decoding first, then `~1` and `~0` in each segment. */
export function parseReference(reference: string): ParsedReference {
  if (reference !== "" && !reference.startsWith("#")) return { kind: "external" };
  const fragment = decodeFragment(reference.slice(1));
  if (fragment === undefined) return { kind: "malformed" };
  if (fragment === "") return { kind: "pointer", pointer: [] };
  if (!fragment.startsWith("/")) return { kind: "anchor", name: fragment };
  const pointer = fragment.slice(1).split("/").map(decodeSegment);
  const [first, name, ...rest] = pointer;
  if (first === "schemas" && name !== undefined) return { kind: "shared", name, pointer: rest };
  return { kind: "pointer", pointer };
}

function decodeFragment(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

const decodeSegment = (segment: string): string =>
  segment.replaceAll("~1", "/").replaceAll("~0", "~");

/** The reference that leads to a path from the root of the enclosing schema. */
export function writeReference(path: SchemaPath): string {
  const segments = path.map((segment) =>
    encodeFragment(String(segment).replaceAll("~", "~0").replaceAll("/", "~1")),
  );
  return ["#", ...segments].join("/");
}

/** Percent-encodes only what a URI fragment cannot hold, so that `$defs` stays readable. */
function encodeFragment(text: string): string {
  return encodeURIComponent(text).replace(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent);
}

/**
 * Finds the schema that a `$ref` or `$dynamicRef` leads to, one step far: where the target is a
 * reference itself it is returned as it stands. Undefined for references that are external,
 * malformed or dangling, and for pointers to something that is no schema (into an `enum`, say).
 *
 * @param root the schema of the manifest that holds the reference, from its root: a tool's
 *   `inputSchema`, or an entry of `schemas`
 */
export function resolveReference(
  root: JsonSchema,
  reference: string,
  shared: SharedSchemas,
): ReferenceTarget | undefined {
  const parsed = parseReference(reference);
  if (parsed.kind === "pointer") return follow(root, parsed.pointer);
  if (parsed.kind === "anchor") return anchorsOf(root).get(parsed.name);
  if (parsed.kind !== "shared") return undefined;
  const sharedRoot = shared(parsed.name);
  const target = sharedRoot === undefined ? undefined : follow(sharedRoot, parsed.pointer);
  return target && { ...target, sharedName: parsed.name };
}

/** Follows a pointer from subschema to subschema, so that it can only end at a schema. */
function follow(root: JsonSchema, pointer: readonly string[]): ReferenceTarget | undefined {
  let schema = root;
  const path: (string | number)[] = [];
  while (path.length < pointer.length) {
    const step = subschemaAt(schema, pointer[path.length] ?? "", pointer[path.length + 1]);
    if (step === undefined) return undefined;
    path.push(...step[0]);
    schema = step[1];
  }
  return { schema, root, path };
}

const anchorIndexes = new WeakMap<object, ReadonlyMap<string, ReferenceTarget>>();

/** The places that `$anchor` and `$dynamicAnchor` name in a schema; the first of equal names counts. */
export function anchorsOf(root: JsonSchema): ReadonlyMap<string, ReferenceTarget> {
  if (typeof root === "boolean") return new Map();
  const cached = anchorIndexes.get(root);
  if (cached !== undefined) return cached;
  const anchors = new Map<string, ReferenceTarget>();
  for (const [path, schema] of walkSchema(root)) {
    for (const name of anchorNames(schema)) {
      if (!anchors.has(name)) anchors.set(name, { schema, root, path });
    }
  }
  anchorIndexes.set(root, anchors);
  return anchors;
}

function anchorNames(schema: JsonSchema): string[] {
  if (!isJsonObject(schema)) return [];
  return [schema["$anchor"], schema["$dynamicAnchor"]].filter((name) => typeof name === "string");
}
