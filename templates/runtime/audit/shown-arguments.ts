import type { ToolEntry } from "../tools/definition.js";
import { printable } from "../engine/printable.js";
import { isObject } from "../engine/request-parameters.js";
import type { ServerDefinition } from "../engine/definition.js";

const MAX_NAME_LENGTH = 128;
const MAX_NAMES = 50;

/** The maximum length of the JSON of arguments in a line. For longer ones, the line has only the length. */
const MAX_VALUES_LENGTH = 4_096;

const MASK = "[masked]";

/** Returns the members that show the arguments of a call in its line. */
export type ShownArguments = (method: string, item: string | undefined, input: unknown) => object;

/**
 * Makes a function that shows nothing, the names of arguments or their values, as the manifest says. Values are
 * masked if their schemas have `writeOnly: true` or `format: password`.
 */
export function argumentsShown({ audit, tools }: ServerDefinition): ShownArguments {
  if (audit?.arguments === "names") {
    return (_method, _item, input) => (isObject(input) ? { arguments: namesOf(input) } : {});
  }
  if (audit?.arguments !== "values") return () => ({});
  const schemas = new Map(tools.map((tool) => [tool.definition.name, schemaOf(tool)]));
  return (method, item, input) => {
    if (!isObject(input)) return {};
    const schema = method === "tools/call" ? schemas.get(item ?? "") : undefined;
    // An unknown tool has no schema that marks secret values.
    if (method === "tools/call" && schema === undefined) return { arguments: namesOf(input) };
    try {
      const shown = schema === undefined ? input : maskSecrets(input, schema, schema);
      const { length } = JSON.stringify(shown);
      return length > MAX_VALUES_LENGTH ? { argumentsLength: length } : { arguments: shown };
    } catch {
      // The nesting is too deep for recursion. Handlers do not get such arguments either.
      return { arguments: "[too deep]" };
    }
  };
}

function namesOf(input: object): string[] {
  const names = Object.keys(input).slice(0, MAX_NAMES);
  return names.map((name) => printable(name, MAX_NAME_LENGTH));
}

type Schema = Readonly<Record<string, unknown>>;

function schemaOf({ definition: { inputSchema } }: ToolEntry): Schema {
  return inputSchema as Schema;
}

/** Replaces a schema that cannot be found, so that values it might mark as secret are masked. */
const UNREADABLE: Schema = { writeOnly: true };

/** Copies a value and masks the parts that its schema marks as secret. */
function maskSecrets(value: unknown, schema: unknown, root: Schema): unknown {
  const all = applicableSchemas(schema, root);
  if (all.some(({ writeOnly, format }) => writeOnly === true || format === "password")) return MASK;
  const maskPart = (part: unknown, schemas: readonly unknown[]): unknown =>
    schemas.reduce((shown, partSchema) => maskSecrets(shown, partSchema, root), part);
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) =>
      maskPart(
        item,
        all.flatMap((parent) => itemSchemas(parent, index)),
      ),
    );
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      maskPart(
        member,
        all.flatMap((parent) => memberSchemas(parent, name)),
      ),
    ]),
  );
}

function itemSchemas({ prefixItems, items, contains, unevaluatedItems }: Schema, index: number) {
  const own = Array.isArray(prefixItems) ? (prefixItems as unknown[])[index] : undefined;
  return [own ?? items, contains, unevaluatedItems];
}

function memberSchemas(parent: Schema, name: string): unknown[] {
  const { properties, patternProperties, additionalProperties, unevaluatedProperties } = parent;
  const own =
    isObject(properties) && Object.hasOwn(properties, name) ? [(properties as Schema)[name]] : [];
  const byPattern = Object.entries(isObject(patternProperties) ? patternProperties : {})
    .filter(([pattern]) => matches(pattern, name))
    .map(([, schema]): unknown => schema);
  const declared = [...own, ...byPattern];
  return declared.length > 0 ? declared : [additionalProperties, unevaluatedProperties];
}

/** Whether a name matches a pattern. An invalid pattern matches every name. */
function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, "u").test(name);
  } catch {
    return true;
  }
}

/** Returns a schema and all schemas for the same value that it refers to or combines. */
function applicableSchemas(
  schema: unknown,
  root: Schema,
  parents: readonly unknown[] = [],
): Schema[] {
  if (!isObject(schema) || parents.includes(schema)) return [];
  const { $ref, allOf, anyOf, oneOf, then, else: elseSchema, dependentSchemas } = schema;
  const combined = [allOf, anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const dependent = isObject(dependentSchemas) ? Object.values(dependentSchemas) : [];
  const referenced = typeof $ref === "string" ? resolveReference($ref, root) : undefined;
  const next = [...combined, ...dependent, schema["if"], then, elseSchema, referenced];
  return [
    schema,
    ...next.flatMap((sub: unknown) => applicableSchemas(sub, root, [...parents, schema])),
  ];
}

/** Returns the schema that a reference within `root` names. */
function resolveReference(reference: string, root: Schema): unknown {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return UNREADABLE;
  let target: unknown = root;
  for (const step of reference.slice(2).split("/")) {
    const name = decodeStep(step);
    const canDescend = name !== undefined && typeof target === "object" && target !== null;
    if (!canDescend || !Object.hasOwn(target as object, name)) return UNREADABLE;
    target = (target as Schema)[name];
  }
  return target;
}

/** Decodes a step of a JSON Pointer in a URI. Returns undefined if the encoding is invalid. */
function decodeStep(step: string): string | undefined {
  try {
    return decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return undefined;
  }
}
