import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import { parseReference } from "../schema/schema-reference.js";
import { mappingOf } from "./manifest-items.js";

/** A schema of one of the two manifests. */
interface SchemaIn {
  readonly manifest: JsonObject;
  readonly schema: JsonValue | undefined;
}

/** How many schemas within each other are looked at: recursive ones never end. */
const MAX_DEPTH = 8;

/**
 * The members that a schema described and that its successor refuses, since it is closed. A value that still has one
 * fits the type of the successor: the compiler accepts further members of what a function returns.
 */
export function refusedMembers(former: SchemaIn, present: SchemaIn): ReadonlySet<string> {
  const found = new Set<string>();
  collect(former, present, found, MAX_DEPTH);
  return found;
}

function collect(former: SchemaIn, present: SchemaIn, found: Set<string>, depth: number): void {
  const [was, is] = [resolved(former), resolved(present)];
  if (was === undefined || is === undefined || depth === 0) return;
  const within = (key: string, of: JsonObject, other: JsonObject): void =>
    collect(
      { manifest: former.manifest, schema: ownValue(of, key) },
      { manifest: present.manifest, schema: ownValue(other, key) },
      found,
      depth - 1,
    );
  within("items", was, is);
  const [before, after] = [mappingOf(was, "properties"), mappingOf(is, "properties")];
  const isClosed = ["additionalProperties", "unevaluatedProperties"].some(
    (key) => ownValue(is, key) === false,
  );
  for (const name of Object.keys(before)) {
    if (ownValue(after, name) !== undefined) within(name, before, after);
    else if (isClosed && !isJsonObject(ownValue(is, "patternProperties"))) found.add(name);
  }
}

/** The schema itself, or the shared one to which it refers; undefined where it is no object. */
function resolved({ manifest, schema }: SchemaIn): JsonObject | undefined {
  let current = schema;
  for (let step = 0; step < MAX_DEPTH && isJsonObject(current); step++) {
    const reference = parseReference(String(ownValue(current, "$ref") ?? ""));
    if (reference.kind !== "shared" || reference.pointer.length > 0) return current;
    current = ownValue(mappingOf(manifest, "schemas"), reference.name);
  }
  return undefined;
}
