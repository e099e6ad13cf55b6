/** A JSON Schema. Its keywords may have values of wrong types. */
export type Schema = Readonly<Record<string, unknown>>;

/** The kind of input for a value. */
export type FieldKind =
  "choice" | "text" | "number" | "boolean" | "list" | "object" | "map" | "variants" | "json";

/** One of several schemas that a value may fit. */
export interface Variant {
  readonly title: string;
  readonly schema: Schema;
}

/** A value that can be chosen, with its name for people. */
export interface Choice {
  readonly value: unknown;
  readonly title: string;
}

/** The maximum nesting of merged schemas and of initial values. */
const maxDepth = 8;

/** The maximum number of successive references that are followed. */
const maxReferences = 20;

/**
 * The maximum number of characters of a text that is matched with a pattern. The time of some accepted patterns grows with the
 * square of the length, and a pasted text may be longer than the schema allows.
 */
export const maxPatternLength = 2_000;

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Resolves the references of a schema, and merges the schemas of `allOf` into it. */
export function resolve(schema: unknown, root: Schema, depth = 0): Schema {
  let resolved = isObject(schema) ? schema : {};
  for (let count = 0; typeof resolved["$ref"] === "string" && count < maxReferences; count++) {
    const { $ref, ...siblings } = resolved;
    resolved = { ...(resolveReference($ref as string, root) ?? {}), ...siblings };
  }
  const { allOf, ...others } = resolved;
  return Array.isArray(allOf) && depth < maxDepth
    ? mergeSchemas(others, allOf, root, depth)
    : resolved;
}

function resolveReference(reference: string, root: Schema): Schema | undefined {
  if (reference.startsWith("#/") || reference === "#")
    return schemaAtPointer(reference.slice(2), root);
  const name = reference.startsWith("#") ? reference.slice(1) : undefined;
  const definitions = Object.values({
    ...asObject(root["$defs"]),
    ...asObject(root["definitions"]),
  });
  return definitions
    .filter(isObject)
    .find(({ $id, $anchor }) => $id === reference || $anchor === name);
}

function schemaAtPointer(pointer: string, root: Schema): Schema | undefined {
  let value: unknown = root;
  for (const part of pointer.split("/").filter(Boolean)) {
    const key = decodePart(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return isObject(value) ? value : undefined;
}

/** Decodes a part of a reference. A part with invalid percent-encoding is returned unchanged. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Merges other schemas into a schema, whose own keywords have priority. */
export function mergeSchemas(
  schema: Schema,
  others: readonly unknown[],
  root: Schema,
  depth = 0,
): Schema {
  const all = [...others.map((other) => resolve(other, root, depth + 1)), schema];
  const properties = new Map<string, unknown>();
  for (const part of all) {
    for (const [name, property] of Object.entries(asObject(part["properties"]))) {
      properties.set(name, { ...asObject(properties.get(name)), ...asObject(property) });
    }
  }
  const required = all.flatMap(requiredOf);
  return {
    ...Object.assign({}, ...all),
    ...(properties.size > 0 && { properties: Object.fromEntries(properties) }),
    ...(required.length > 0 && { required: [...new Set(required)] }),
  };
}

export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

export function requiredOf({ required }: Schema): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

/** The value of a keyword if it is a text and not empty. */
export function textOf(schema: Schema, keyword: string): string | undefined {
  const text = schema[keyword];
  return typeof text === "string" && text !== "" ? text : undefined;
}

/** The types that a resolved schema names. */
export function typesOf({ type }: Schema): readonly string[] {
  return (Array.isArray(type) ? type : [type]).filter((name) => typeof name === "string");
}

/** The kind of input for a value of a resolved schema. */
export function kindOf(schema: Schema, root: Schema): FieldKind {
  if (choicesOf(schema) !== undefined) return "choice";
  if (variantsOf(schema, root) !== undefined) return "variants";
  switch (typesOf(schema)[0]) {
    case "string":
      return "text";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
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
  if (takesMembers(schema)) return "map";
  return schema["additionalProperties"] === false ? "object" : "json";
}

/** Whether a schema has a schema for members whose names it does not list. */
export function takesMembers({ additionalProperties, patternProperties }: Schema): boolean {
  return isObject(additionalProperties) || Object.keys(asObject(patternProperties)).length > 0;
}

/** The schema of a member that no property describes; false if the name is not allowed. */
export function memberSchema(schema: Schema, name: string): unknown {
  const match = Object.entries(asObject(schema["patternProperties"])).find(([pattern]) => {
    try {
      return name.length <= maxPatternLength && new RegExp(pattern, "u").test(name);
    } catch {
      return false;
    }
  });
  return match === undefined ? schema["additionalProperties"] : match[1];
}

/** The schemas of the first elements of a list, and the schema of all others. */
export function elementSchemas(schema: Schema): {
  readonly first: readonly unknown[];
  readonly others: unknown;
} {
  const { prefixItems, items, additionalItems } = schema;
  // Before 2020-12, an array in `items` had the meaning of `prefixItems`.
  if (Array.isArray(items)) return { first: items, others: additionalItems };
  return { first: Array.isArray(prefixItems) ? prefixItems : [], others: items };
}

/** The values that a schema enumerates, in any form; undefined if it enumerates none. */
export function choicesOf(schema: Schema): readonly Choice[] | undefined {
  if (Object.hasOwn(schema, "const")) return [choice(schema["const"])];
  const { enum: values, enumNames } = schema;
  if (Array.isArray(values)) {
    const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
    return values.map((value, index) => choice(value, names[index]));
  }
  const types = typesOf(schema);
  if (types.length === 1 && types[0] === "null") return [choice(null)];
  const parts = schema["oneOf"] ?? schema["anyOf"];
  if (!Array.isArray(parts) || parts.length === 0) return undefined;
  if (!parts.every((part) => isObject(part) && Object.hasOwn(part, "const"))) return undefined;
  return parts.map((part: Schema) => {
    const words = [textOf(part, "title"), textOf(part, "description")].filter(Boolean);
    return choice(part["const"], words.length === 0 ? undefined : words.join(": "));
  });
}

function choice(value: unknown, title?: unknown): Choice {
  const words = typeof value === "string" ? value : JSON.stringify(value);
  return { value, title: typeof title === "string" ? title : words };
}

/** The alternative schemas of a value; undefined if there are none. */
export function variantsOf(schema: Schema, root: Schema): readonly Variant[] | undefined {
  const { oneOf, anyOf, title: _title, description: _description, ...rest } = schema;
  const parts = oneOf ?? anyOf;
  if (Array.isArray(parts) && parts.length > 0 && parts.every(isObject)) {
    const { default: _default, examples: _examples, ...common } = rest;
    const variants = parts.map((part) => resolve(part, root));
    const properties = asObject(schema["properties"]);
    const hasOwnMembers = (variant: Schema): boolean =>
      Object.keys(asObject(variant["properties"])).some((name) => !Object.hasOwn(properties, name));
    // Alternatives that only constrain existing members need no other inputs.
    if (isObject(schema["properties"]) && !variants.some(hasOwnMembers)) return undefined;
    return variants.map((variant, index) => ({
      title: variantTitle(variant, parts[index]!) ?? String(index + 1),
      schema: mergeSchemas(variant, [common], root),
    }));
  }
  const types = typesOf(schema);
  if (types.length < 2) return undefined;
  return types.map((type) => ({ title: type, schema: { ...rest, type } }));
}

/** The name of a variant: its title, the constant of a member, the name of its reference, or its type. */
function variantTitle(variant: Schema, { $ref }: Schema): string | undefined {
  const constants = Object.values(asObject(variant["properties"])).map((member) => {
    const [only, ...others] = isObject(member) ? (choicesOf(member) ?? []) : [];
    return others.length === 0 ? only?.title : undefined;
  });
  const referenceName = typeof $ref === "string" ? /([^/#]+)$/.exec($ref)?.[1] : undefined;
  const types = typesOf(variant).join(" | ");
  return (
    textOf(variant, "title") ?? constants.find(Boolean) ?? referenceName ?? (types || undefined)
  );
}

/** The schema of a nullable value without null; undefined if it is not nullable, or has more alternatives. */
export function withoutNull(schema: Schema, root: Schema): Schema | undefined {
  const variants = choicesOf(schema) === undefined ? variantsOf(schema, root) : undefined;
  if (variants?.length !== 2) return undefined;
  const [nonNull, ...more] = variants.filter((variant) => typesOf(variant.schema)[0] !== "null");
  if (nonNull === undefined || more.length > 0) return undefined;
  const { title, description, default: defaultValue } = schema;
  const outer = Object.entries({ title, description, default: defaultValue });
  const annotations = Object.fromEntries(outer.filter(([, value]) => value !== undefined));
  return { ...nonNull.schema, ...annotations };
}

/** The initial value of a field; undefined if the value is absent at first. */
export function initialValue(
  unresolved: unknown,
  root: Schema,
  isRequired: boolean,
  depth = 0,
): unknown {
  const schema = resolve(unresolved, root);
  if (Object.hasOwn(schema, "default")) return structuredClone(schema["default"]);
  if (!isRequired || depth > maxDepth) return undefined;
  if (withoutNull(schema, root) !== undefined) return null;
  switch (kindOf(schema, root)) {
    case "choice": {
      const [only, ...others] = choicesOf(schema) ?? [];
      return others.length === 0 ? only?.value : undefined;
    }
    case "variants":
      return initialVariant(variantsOf(schema, root)?.[0]?.schema ?? {}, root, depth + 1);
    case "boolean":
      return false;
    case "list":
      return initialList(schema, root, depth);
    case "map":
      return {};
    case "object":
      return initialObject(schema, root, depth);
    default:
      return undefined;
  }
}

/** The initial value of a chosen variant, including its optional constant members. */
export function initialVariant(schema: Schema, root: Schema, depth = 0): unknown {
  const value = initialValue(schema, root, true, depth);
  if (!isObject(value)) return value;
  const constants = Object.entries(asObject(schema["properties"])).flatMap(([name, member]) => {
    const [only, ...others] = choicesOf(resolve(member, root)) ?? [];
    return only === undefined || others.length > 0 ? [] : [[name, only.value] as const];
  });
  return { ...Object.fromEntries(constants), ...value };
}

/** The maximum number of initial elements of a list. */
const maxInitialElements = 20;

/** The initial elements: as many as the schema requires or describes. Empty ones are null. */
function initialList(schema: Schema, root: Schema, depth: number): readonly unknown[] {
  const { first, others } = elementSchemas(schema);
  const { minItems } = schema;
  const count = Math.max(first.length, typeof minItems === "number" ? minItems : 0);
  // Lists of choices have checkboxes, none of which is checked at first.
  if (count > maxInitialElements || choicesOf(resolve(others, root)) !== undefined) return [];
  return Array.from(
    { length: count },
    (_, index) => initialValue(first[index] ?? others, root, true, depth + 1) ?? null,
  );
}

function initialObject(schema: Schema, root: Schema, depth: number): unknown {
  const required = new Set(requiredOf(schema));
  const entries = Object.entries(asObject(schema["properties"])).map(
    ([name, property]) =>
      [name, initialValue(property, root, required.has(name), depth + 1)] as const,
  );
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
