/** A JSON Schema whose keywords are not trusted to have the types that they should have. */
export type Schema = Readonly<Record<string, unknown>>;

/** How a field is shown. */
export type FieldKind =
  | "choice"
  | "text"
  | "number"
  | "boolean"
  | "null"
  | "list"
  | "object"
  | "map"
  | "variants"
  | "json";

/** One of several schemas that a value may fit. */
export interface Variant {
  readonly title: string;
  readonly schema: Schema;
}

/** A value to choose, with what it is called. */
export interface Choice {
  readonly value: unknown;
  readonly title: string;
}

/** How deep values are made before anybody has asked for them. */
const deepest = 8;

/** How many references in a row are followed. */
const mostReferences = 20;

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The schema itself: references followed, and `allOf` joined where its parts are about properties. */
export function resolve(schema: unknown, root: Schema): Schema {
  let found = isObject(schema) ? schema : {};
  for (let count = 0; typeof found["$ref"] === "string" && count < mostReferences; count++) {
    const { $ref, ...rest } = found;
    found = { ...(referenced($ref as string, root) ?? {}), ...rest };
  }
  const { allOf } = found;
  return Array.isArray(allOf) ? joined(found, allOf, root) : found;
}

function referenced(reference: string, root: Schema): Schema | undefined {
  if (reference.startsWith("#/") || reference === "#") return byPointer(reference.slice(2), root);
  const name = reference.startsWith("#") ? reference.slice(1) : undefined;
  const definitions = Object.values({
    ...asObject(root["$defs"]),
    ...asObject(root["definitions"]),
  });
  return definitions
    .filter(isObject)
    .find(({ $id, $anchor }) => $id === reference || $anchor === name);
}

function byPointer(pointer: string, root: Schema): Schema | undefined {
  let found: unknown = root;
  for (const part of pointer.split("/").filter(Boolean)) {
    const key = decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[key];
  }
  return isObject(found) ? found : undefined;
}

/** A part of a reference that is not percent-encoded text is taken as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function joined(schema: Schema, parts: readonly unknown[], root: Schema): Schema {
  const all = [...parts.map((part) => resolve(part, root)), schema];
  const properties = Object.assign({}, ...all.map((part) => asObject(part["properties"])));
  const required = all.flatMap((part) => requiredOf(part));
  return {
    ...Object.assign({}, ...all),
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required: [...new Set(required)] }),
    allOf: undefined,
  };
}

export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

export function requiredOf({ required }: Schema): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

/** A text of a schema, where it is one. */
export function textOf(schema: Schema, keyword: string): string | undefined {
  const text = schema[keyword];
  return typeof text === "string" && text !== "" ? text : undefined;
}

/** The types that a resolved schema names. */
export function typesOf({ type }: Schema): readonly string[] {
  return (Array.isArray(type) ? type : [type]).filter((name) => typeof name === "string");
}

/** How a value of a resolved schema is entered. */
export function kindOf(schema: Schema): FieldKind {
  if (choicesOf(schema) !== undefined) return "choice";
  if (variantsOf(schema) !== undefined) return "variants";
  const [type, second] = typesOf(schema);
  if (second !== undefined) return "json";
  switch (type) {
    case "string":
      return "text";
    case "integer":
    case "number":
      return "number";
    case "boolean":
    case "null":
      return type;
    case "array":
      return "list";
    case "object":
      return objectKind(schema);
    default:
      if (isObject(schema["properties"])) return "object";
      return schema["items"] !== undefined ? "list" : "json";
  }
}

function objectKind(schema: Schema): FieldKind {
  if (Object.keys(asObject(schema["properties"])).length > 0) return "object";
  const { additionalProperties } = schema;
  if (additionalProperties === false) return "object";
  return isObject(additionalProperties) ? "map" : "json";
}

/** The values of an enumeration, however it is said; undefined where any value may fit. */
export function choicesOf(schema: Schema): readonly Choice[] | undefined {
  if (Object.hasOwn(schema, "const")) return [choice(schema["const"])];
  const { enum: values, enumNames } = schema;
  if (Array.isArray(values)) {
    const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
    return values.map((value, index) => choice(value, names[index]));
  }
  const parts = schema["oneOf"] ?? schema["anyOf"];
  if (!Array.isArray(parts) || parts.length === 0) return undefined;
  if (!parts.every((part) => isObject(part) && Object.hasOwn(part, "const"))) return undefined;
  return parts.map((part: Schema) => choice(part["const"], part["title"] ?? part["description"]));
}

function choice(value: unknown, title?: unknown): Choice {
  const words = typeof value === "string" ? value : JSON.stringify(value);
  return { value, title: typeof title === "string" ? title : words };
}

/** The schemas of which a value fits one; undefined where there is only one. */
export function variantsOf(schema: Schema): readonly Variant[] | undefined {
  const parts = schema["oneOf"] ?? schema["anyOf"];
  if (Array.isArray(parts) && parts.length > 0 && parts.every(isObject)) {
    // Parts that only name required members say nothing of how a value is entered.
    if (isObject(schema["properties"])) return undefined;
    const { oneOf: _oneOf, anyOf: _anyOf, title: _title, ...rest } = schema;
    return parts.map((part, index) => ({
      title: textOf(part, "title") ?? (typesOf(part).join(" | ") || `${index + 1}`),
      schema: { ...rest, ...part },
    }));
  }
  const types = typesOf(schema);
  if (types.length < 2) return undefined;
  return types.map((type) => ({ title: type, schema: { ...schema, type } }));
}

/** What a field has before anybody has filled it in; undefined where it is left out of the arguments. */
export function initialValue(
  given: unknown,
  root: Schema,
  isRequired: boolean,
  depth = 0,
): unknown {
  const schema = resolve(given, root);
  if (Object.hasOwn(schema, "default")) return structuredClone(schema["default"]);
  if (!isRequired || depth > deepest) return undefined;
  if (Object.hasOwn(schema, "const")) return schema["const"];
  switch (kindOf(schema)) {
    case "boolean":
      return false;
    case "null":
      return null;
    case "list":
      return [];
    case "map":
      return {};
    case "object":
      return initialObject(schema, root, depth);
    default:
      return undefined;
  }
}

function initialObject(schema: Schema, root: Schema, depth: number): unknown {
  const required = new Set(requiredOf(schema));
  const entries = Object.entries(asObject(schema["properties"])).map(
    ([name, property]) =>
      [name, initialValue(property, root, required.has(name), depth + 1)] as const,
  );
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
