import { isJsonObject, type JsonObject, type JsonSchema } from "../model/json.js";
import { onceForEach } from "../model/once-for-each.js";
import { isJsonSchema, ownValue, type SchemaPath } from "./json-schema.js";
import { subschemaAt, walkSchema } from "./subschemas.js";

/** The parsed text of a `$ref` or `$dynamicRef`. */
export type ParsedReference =
  /** A URI or path of another document, which mcpwright never opens. */
  | { readonly kind: "external" }
  /** Broken percent-encoding. */
  | { readonly kind: "malformed" }
  /** `#/schemas/Name`, with the segments after the name. */
  | { readonly kind: "shared"; readonly name: string; readonly pointer: readonly string[] }
  /** `#` or `#/…`: a pointer from the root of the enclosing schema. */
  | { readonly kind: "pointer"; readonly pointer: readonly string[] }
  /** `#name`: an `$anchor` or `$dynamicAnchor` of the enclosing schema. */
  | { readonly kind: "anchor"; readonly name: string };

/** The schema that a reference leads to. */
export interface ReferenceTarget {
  readonly schema: JsonSchema;
  /** The root schema that contains the target: the one with the reference, or a shared schema. */
  readonly root: JsonSchema;
  /** The target's path from `root`. */
  readonly path: SchemaPath;
  /** The key under the manifest's `schemas`, if `root` is a shared schema. */
  readonly sharedName?: string;
}

/** Finds an entry of the manifest's `schemas`. */
export type SharedSchemas = (name: string) => JsonSchema | undefined;

/** The `schemas` of a manifest. */
export function sharedSchemas({ schemas = null }: JsonObject): SharedSchemas {
  return (name) => {
    const schema = isJsonObject(schemas) ? ownValue(schemas, name) : undefined;
    return isJsonSchema(schema) ? schema : undefined;
  };
}

const REFERENCE = /"\$(?:ref|dynamicRef)":/;

/** True if the JSON text of a value may contain a reference to a schema. */
export function mayRefer(json: string): boolean {
  return REFERENCE.test(json);
}

/** Reads a reference: percent-decoding first, then `~1` and `~0` in each segment. */
export function parseReference(reference: string): ParsedReference {
  if (reference !== "" && !reference.startsWith("#")) return { kind: "external" };
  const fragment = decodeFragment(reference.slice(1));
  if (fragment === undefined) return { kind: "malformed" };
  if (fragment === "") return { kind: "pointer", pointer: [] };
  if (!fragment.startsWith("/")) return { kind: "anchor", name: fragment };
  const pointer = fragment.slice(1).split("/").map(decodeSegment);
  const [first, name, ...innerPointer] = pointer;
  if (first === "schemas" && name !== undefined)
    return { kind: "shared", name, pointer: innerPointer };
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

/** The text of a reference to a path from the root of the enclosing schema. */
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
 * Finds the schema to which a `$ref` or `$dynamicRef` leads. If that schema is a reference itself,
 * the function does not follow it. Returns undefined for references that are external, malformed or
 * dangling, and for pointers to something that is no schema, such as a value of an `enum`.
 *
 * @param root the root schema that contains the reference: a tool's `inputSchema`, or an entry of `schemas`
 */
export function resolveReference(
  root: JsonSchema,
  reference: string,
  shared: SharedSchemas,
): ReferenceTarget | undefined {
  const { parsed, target } = readWithin(root, reference);
  if (parsed.kind !== "shared") return target;
  const sharedRoot = shared(parsed.name);
  const sharedTarget = sharedRoot === undefined ? undefined : follow(sharedRoot, parsed.pointer);
  return sharedTarget && { ...sharedTarget, sharedName: parsed.name };
}

/** A reference that was read, with its target if that is in the same root schema. */
interface ReadReference {
  readonly parsed: ParsedReference;
  readonly target: ReferenceTarget | undefined;
}

/** The references of a root schema that were read, by their text. */
const readReferences = onceForEach((_root: object) => new Map<string, ReadReference>());

function readWithin(root: JsonSchema, reference: string): ReadReference {
  const cache = typeof root === "boolean" ? undefined : readReferences(root);
  const cached = cache?.get(reference);
  if (cached !== undefined) return cached;
  const parsed = parseReference(reference);
  const read = { parsed, target: targetWithin(root, parsed) };
  cache?.set(reference, read);
  return read;
}

function targetWithin(root: JsonSchema, parsed: ParsedReference): ReferenceTarget | undefined {
  if (parsed.kind === "pointer") return follow(root, parsed.pointer);
  return parsed.kind === "anchor" ? anchorsOf(root).get(parsed.name) : undefined;
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

/** The subschemas that `$anchor` and `$dynamicAnchor` name; of equal names, the first one counts. */
export function anchorsOf(root: JsonSchema): ReadonlyMap<string, ReferenceTarget> {
  return typeof root === "boolean" ? new Map() : anchorsWithin(root);
}

const anchorsWithin = onceForEach((root: JsonObject): ReadonlyMap<string, ReferenceTarget> => {
  const anchors = new Map<string, ReferenceTarget>();
  for (const [path, schema] of walkSchema(root)) {
    for (const name of anchorNames(schema)) {
      if (!anchors.has(name)) anchors.set(name, { schema, root, path });
    }
  }
  return anchors;
});

function anchorNames(schema: JsonSchema): string[] {
  if (!isJsonObject(schema)) return [];
  return [schema["$anchor"], schema["$dynamicAnchor"]].filter((name) => typeof name === "string");
}
