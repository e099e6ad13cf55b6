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

/** The value, with a mask in place of what the schema marks as secret. */
function withoutMarked(value: unknown, schema: unknown, root: Schema): unknown {
  const all = schemasAt(schema, root);
  if (all.some(({ writeOnly, format }) => writeOnly === true || format === "password")) return MASK;
  if (Array.isArray(value)) {
    return value.map((one: unknown, index) =>
      all.reduce<unknown>((shown, { items, prefixItems }) => {
        const own = Array.isArray(prefixItems) ? (prefixItems as unknown[])[index] : undefined;
        return withoutMarked(shown, own ?? items, root);
      }, one),
    );
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      all.reduce<unknown>(
        (shown, one) => withoutMarked(shown, memberSchema(one, name), root),
        member,
      ),
    ]),
  );
}

function memberSchema({ properties, additionalProperties }: Schema, name: string): unknown {
  if (isObject(properties) && Object.hasOwn(properties, name)) return properties[name];
  return additionalProperties;
}

/** A schema, and those of its place that it refers to or combines. */
function schemasAt(schema: unknown, root: Schema, passed: readonly unknown[] = []): Schema[] {
  if (!isObject(schema) || passed.includes(schema)) return [];
  const { $ref, allOf, anyOf, oneOf, then, else: otherwise } = schema;
  const others = [allOf, anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const referred = typeof $ref === "string" ? definitionAt($ref, root) : undefined;
  const next = [...others, then, otherwise, referred];
  return [schema, ...next.flatMap((one: unknown) => schemasAt(one, root, [...passed, schema]))];
}

/** What a reference within a schema leads to: the root, or a definition. */
function definitionAt(reference: string, root: Schema): unknown {
  if (reference === "#") return root;
  const [, keyword = "", name = ""] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference) ?? [];
  const definitions = root[keyword];
  const unescaped = decodeURIComponent(name).replaceAll("~1", "/").replaceAll("~0", "~");
  return isObject(definitions) && Object.hasOwn(definitions, unescaped)
    ? definitions[unescaped]
    : undefined;
}
