/** A JSON Schema whose keywords are not trusted to have the types that they should have. */
export type Schema = Readonly<Record<string, unknown>>;

/** How a field is shown. */
export type FieldKind =
  "choice" | "text" | "number" | "boolean" | "list" | "object" | "map" | "variants" | "json";

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

/**
 * The most characters of a text that is held against a pattern. The time of some that the compiler lets through
 * grows with the square of that, and a text that somebody pastes may be longer than the schema allows.
 */
export const longestMatched = 2_000;

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The schema itself: references followed, and `allOf` joined where its parts are about properties. */
export function resolve(schema: unknown, root: Schema, depth = 0): Schema {
  let found = isObject(schema) ? schema : {};
  for (let count = 0; typeof found["$ref"] === "string" && count < mostReferences; count++) {
    const { $ref, ...rest } = found;
    found = { ...(referenced($ref as string, root) ?? {}), ...rest };
  }
  const { allOf, ...rest } = found;
  return Array.isArray(allOf) && depth < deepest ? joined(rest, allOf, root, depth) : found;
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

/** A schema with what others say too; where they say the same thing, it is right. */
export function joined(
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

/** Whether a schema describes members whose names it does not say. */
export function takesMembers({ additionalProperties, patternProperties }: Schema): boolean {
  return isObject(additionalProperties) || Object.keys(asObject(patternProperties)).length > 0;
}

/** The schema of a member that no property describes; false where there may be none by that name. */
export function memberSchema(schema: Schema, name: string): unknown {
  const found = Object.entries(asObject(schema["patternProperties"])).find(([pattern]) => {
    try {
      return name.length <= longestMatched && new RegExp(pattern, "u").test(name);
    } catch {
      return false;
    }
  });
  return found === undefined ? schema["additionalProperties"] : found[1];
}

/** The schemas of the elements of a list: of the first ones, and of all others. */
export function elementSchemas(schema: Schema): {
  readonly first: readonly unknown[];
  readonly others: unknown;
} {
  const { prefixItems, items, additionalItems } = schema;
  // Before 2020-12 a list of `items` was what `prefixItems` is now.
  if (Array.isArray(items)) return { first: items, others: additionalItems };
  return { first: Array.isArray(prefixItems) ? prefixItems : [], others: items };
}

/** The values of an enumeration, however it is said; undefined where any value may fit. */
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

/** The schemas of which a value fits one; undefined where there is only one. */
export function variantsOf(schema: Schema, root: Schema): readonly Variant[] | undefined {
  const { oneOf, anyOf, title: _title, description: _description, ...rest } = schema;
  const parts = oneOf ?? anyOf;
  if (Array.isArray(parts) && parts.length > 0 && parts.every(isObject)) {
    const { default: _default, examples: _examples, ...common } = rest;
    const variants = parts.map((part) => resolve(part, root));
    const known = asObject(schema["properties"]);
    const hasOwnMembers = (variant: Schema): boolean =>
      Object.keys(asObject(variant["properties"])).some((name) => !Object.hasOwn(known, name));
    // Parts that only say more of the members that there are say nothing of how a value is entered.
    if (isObject(schema["properties"]) && !variants.some(hasOwnMembers)) return undefined;
    return variants.map((variant, index) => ({
      title: variantTitle(variant, parts[index]!) ?? String(index + 1),
      schema: joined(variant, [common], root),
    }));
  }
  const types = typesOf(schema);
  if (types.length < 2) return undefined;
  return types.map((type) => ({ title: type, schema: { ...rest, type } }));
}

/** What a variant is called: by its title, the member that tells it apart, its reference or its type. */
function variantTitle(variant: Schema, { $ref }: Schema): string | undefined {
  const constants = Object.values(asObject(variant["properties"])).map((member) => {
    const [only, ...others] = isObject(member) ? (choicesOf(member) ?? []) : [];
    return others.length === 0 ? only?.title : undefined;
  });
  const referred = typeof $ref === "string" ? /([^/#]+)$/.exec($ref)?.[1] : undefined;
  const types = typesOf(variant).join(" | ");
  return textOf(variant, "title") ?? constants.find(Boolean) ?? referred ?? (types || undefined);
}

/** The schema of a value that may also be null, but for the null; undefined where it may not, or be more. */
export function withoutNull(schema: Schema, root: Schema): Schema | undefined {
  const variants = choicesOf(schema) === undefined ? variantsOf(schema, root) : undefined;
  if (variants?.length !== 2) return undefined;
  const [other, ...more] = variants.filter((variant) => typesOf(variant.schema)[0] !== "null");
  if (other === undefined || more.length > 0) return undefined;
  const { title, description, default: given } = schema;
  const said = Object.entries({ title, description, default: given });
  const outer = Object.fromEntries(said.filter(([, value]) => value !== undefined));
  return { ...other.schema, ...outer };
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

/** What a variant has once it is chosen: also the members that tell it apart from others. */
export function initialVariant(schema: Schema, root: Schema, depth = 0): unknown {
  const value = initialValue(schema, root, true, depth);
  if (!isObject(value)) return value;
  const constants = Object.entries(asObject(schema["properties"])).flatMap(([name, member]) => {
    const [only, ...others] = choicesOf(resolve(member, root)) ?? [];
    return only === undefined || others.length > 0 ? [] : [[name, only.value] as const];
  });
  return { ...Object.fromEntries(constants), ...value };
}

/** How many elements a list has at most before anybody has added one. */
const mostElements = 20;

/** As many elements as there must be, or are described; those that are not filled in are null. */
function initialList(schema: Schema, root: Schema, depth: number): readonly unknown[] {
  const { first, others } = elementSchemas(schema);
  const { minItems } = schema;
  const count = Math.max(first.length, typeof minItems === "number" ? minItems : 0);
  // Choices are ticked.
  if (count > mostElements || choicesOf(resolve(others, root)) !== undefined) return [];
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
