import type { ToolEntry } from "../tools/definition.js";
import { printable } from "../engine/printable.js";
import { isObject } from "../engine/request-parameters.js";
import type { ServerDefinition } from "../engine/definition.js";

const LONGEST_NAME = 128;
const MOST_NAMES = 50;

/** Longest values in a line, as JSON. */
const LONGEST_VALUES = 4_096;

const MASK = "[masked]";

/** What of the arguments of a call stands in its line: the members that are added to it. */
export type ShownArguments = (method: string, item: string | undefined, input: unknown) => object;

/**
 * Shows the names of arguments, or their values without those of properties whose schemas say `writeOnly` or
 * `format: password`.
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
    // Of a tool that is not there, nothing says which values are secret.
    if (method === "tools/call" && schema === undefined) return { arguments: namesOf(input) };
    try {
      const shown = schema === undefined ? input : withoutMarked(input, schema, schema);
      const { length } = JSON.stringify(shown);
      return length > LONGEST_VALUES ? { argumentsLength: length } : { arguments: shown };
    } catch {
      // Nested so deep that nothing can walk through them; no handler sees such arguments either.
      return { arguments: "[too deep]" };
    }
  };
}

function namesOf(input: object): string[] {
  const names = Object.keys(input).slice(0, MOST_NAMES);
  return names.map((name) => printable(name, LONGEST_NAME));
}

type Schema = Readonly<Record<string, unknown>>;

function schemaOf({ definition: { inputSchema } }: ToolEntry): Schema {
  return inputSchema as Schema;
}

/** What stands for a schema that cannot be read: what it might mark is not shown. */
const UNREADABLE: Schema = { writeOnly: true };

/** The value, with a mask in place of what the schema marks as secret. */
function withoutMarked(value: unknown, schema: unknown, root: Schema): unknown {
  const all = schemasAt(schema, root);
  if (all.some(({ writeOnly, format }) => writeOnly === true || format === "password")) return MASK;
  const masked = (member: unknown, schemas: readonly unknown[]): unknown =>
    schemas.reduce((shown, one) => withoutMarked(shown, one, root), member);
  if (Array.isArray(value)) {
    return value.map((one: unknown, index) =>
      masked(
        one,
        all.flatMap((holder) => itemSchemas(holder, index)),
      ),
    );
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      masked(
        member,
        all.flatMap((holder) => memberSchemas(holder, name)),
      ),
    ]),
  );
}

function itemSchemas({ prefixItems, items, contains, unevaluatedItems }: Schema, index: number) {
  const own = Array.isArray(prefixItems) ? (prefixItems as unknown[])[index] : undefined;
  return [own ?? items, contains, unevaluatedItems];
}

function memberSchemas(holder: Schema, name: string): unknown[] {
  const { properties, patternProperties, additionalProperties, unevaluatedProperties } = holder;
  const own =
    isObject(properties) && Object.hasOwn(properties, name) ? [(properties as Schema)[name]] : [];
  const fitting = Object.entries(isObject(patternProperties) ? patternProperties : {})
    .filter(([pattern]) => fits(pattern, name))
    .map(([, schema]): unknown => schema);
  const found = [...own, ...fitting];
  return found.length > 0 ? found : [additionalProperties, unevaluatedProperties];
}

/** Whether a pattern has a name; one that cannot be read has all. */
function fits(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, "u").test(name);
  } catch {
    return true;
  }
}

/** A schema, and those of its place that it refers to or combines. */
function schemasAt(schema: unknown, root: Schema, passed: readonly unknown[] = []): Schema[] {
  if (!isObject(schema) || passed.includes(schema)) return [];
  const { $ref, allOf, anyOf, oneOf, then, else: otherwise, dependentSchemas } = schema;
  const others = [allOf, anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const dependent = isObject(dependentSchemas) ? Object.values(dependentSchemas) : [];
  const referred = typeof $ref === "string" ? schemaReferred($ref, root) : undefined;
  const next = [...others, ...dependent, schema["if"], then, otherwise, referred];
  return [schema, ...next.flatMap((one: unknown) => schemasAt(one, root, [...passed, schema]))];
}

/** What a reference within a schema leads to. */
function schemaReferred(reference: string, root: Schema): unknown {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return UNREADABLE;
  let found: unknown = root;
  for (const step of reference.slice(2).split("/")) {
    const name = unescaped(step);
    const isThere = name !== undefined && typeof found === "object" && found !== null;
    if (!isThere || !Object.hasOwn(found as object, name)) return UNREADABLE;
    found = (found as Schema)[name];
  }
  return found;
}

/** A step of a JSON Pointer in a URI; undefined where it is badly encoded. */
function unescaped(step: string): string | undefined {
  try {
    return decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return undefined;
  }
}
