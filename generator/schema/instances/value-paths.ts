import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import type { SchemaPath } from "../json-schema.js";

/** SchemaResolver in values, by the names and indexes that lead there. */

/** A schema that requires a value at a path. */
export function reaching(path: SchemaPath): JsonSchema {
  const [step, ...innerPath] = path;
  if (step === undefined) return true;
  const inner = reaching(innerPath);
  if (typeof step === "string") return { required: [step], properties: { [step]: inner } };
  const before = Array.from({ length: step }, () => true);
  // In every dialect, a list under `items` applies to the first items.
  return { minItems: step + 1, items: [...before, inner] };
}

/** Whether a path has only names of properties, so that following it makes no array longer. */
export function isMemberPath(path: SchemaPath): boolean {
  return path.every((step) => typeof step === "string");
}

/** The member of an object with a name, or of an array with an index; undefined where there is none. */
function memberAt(value: JsonValue, step: string | number): JsonValue | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) return typeof step === "number" ? value[step] : undefined;
  return typeof step === "string" && Object.hasOwn(value, step) ? value[step] : undefined;
}

/** Whether a value has a value at a path. */
export function reaches(value: JsonValue, path: SchemaPath): boolean {
  let found: JsonValue | undefined = value;
  for (const step of path) {
    found = memberAt(found, step);
    if (found === undefined) return false;
  }
  return true;
}

/** The value at a path. Steps into values that are no object or array are skipped; a missing member gives null. */
export function valueAt(value: JsonValue, path: SchemaPath): JsonValue {
  let found: JsonValue | undefined = value;
  for (const step of path) {
    if (Array.isArray(found)) found = found[Number(step)];
    else if (isJsonObject(found)) found = found[step];
  }
  return found ?? null;
}

/** A copy of a value with `replacement` at a path; all values beside the path are shared. */
export function replaceAt(
  value: JsonValue,
  path: SchemaPath,
  replacement: JsonValue,
  depth = 0,
): JsonValue {
  const step = path[depth];
  if (step === undefined) return replacement;
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      index === step ? replaceAt(item, path, replacement, depth + 1) : item,
    );
  }
  if (!isJsonObject(value)) return value;
  return withMember(
    value,
    String(step),
    replaceAt(value[step] ?? null, path, replacement, depth + 1),
  );
}

/** A copy with one member set; the computed key makes an ordinary member even of `__proto__`. */
function withMember(object: JsonObject, name: string, value: JsonValue): JsonObject {
  return { ...object, [name]: value };
}
