import type { JSX } from "preact";
import {
  asObject,
  choicesOf,
  isObject,
  requiredOf,
  resolve,
  textOf,
  typesOf,
  variantsOf,
  type Schema,
} from "../form/schema.js";
import { constraintsOf } from "../form/problems.js";
import { texts } from "../texts.js";
import { Name, Text } from "./text.js";

/** The maximum nesting of members and elements in the table. */
const maxDepth = 6;

/** The maximum number of rows of a table, since recursive schemas would have endless rows. */
const maxRows = 200;

interface Row {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly depth: number;
}

/** A table with the names, types and descriptions of an object's members. */
export function SchemaTable({ schema: root }: { readonly schema: Schema }): JSX.Element {
  const rows = take(rowsOf(resolve(root, root), root, 0), maxRows);
  if (rows.length === 0) return <p class="hint">{texts.anything}</p>;
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={texts.field}>
      <table class="schema">
        <thead>
          <tr>
            <th scope="col">{texts.field}</th>
            <th scope="col">{texts.type}</th>
            <th scope="col">{texts.meaning}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <SchemaRow key={index} {...row} root={root} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SchemaRow({
  name,
  schema,
  isRequired,
  depth,
  root,
}: Row & { readonly root: Schema }): JSX.Element {
  const description = textOf(schema, "description");
  const details = detailsOf(schema);
  return (
    <tr>
      <th scope="row" class={`depth-${depth}`}>
        <code>
          <Name>{name}</Name>
        </code>
        {isRequired && <span class="mark">{texts.required}</span>}
      </th>
      <td>
        <Text>{typeText(schema, root)}</Text>
      </td>
      <td>
        {description !== undefined && (
          <p>
            <Text>{description}</Text>
          </p>
        )}
        {details.length > 0 && (
          <p class="hint">
            <Text>{details.join(", ")}</Text>
          </p>
        )}
      </td>
    </tr>
  );
}

/** Returns the first `count` values. */
function take<Value>(values: Iterable<Value>, count: number): readonly Value[] {
  const taken: Value[] = [];
  for (const value of values) {
    if (taken.length === count) break;
    taken.push(value);
  }
  return taken;
}

function* rowsOf(schema: Schema, root: Schema, depth: number): Generator<Row> {
  if (depth > maxDepth) return;
  const required = new Set(requiredOf(schema));
  for (const [name, property] of Object.entries(asObject(schema["properties"]))) {
    const member = resolve(property, root);
    yield { name, schema: member, isRequired: required.has(name), depth };
    yield* rowsOf(elementsOf(member, root), root, depth + 1);
  }
}

/** Returns the schema whose members are listed: for a list, that of its elements, otherwise the schema itself. */
function elementsOf(schema: Schema, root: Schema, depth = 0): Schema {
  return isObject(schema["items"]) && depth < maxDepth
    ? elementsOf(resolve(schema["items"], root), root, depth + 1)
    : schema;
}

function typeText(schema: Schema, root: Schema, depth = 0): string {
  const choices = choicesOf(schema);
  if (choices !== undefined) {
    return `${texts.oneOf} ${choices.map(({ value }) => JSON.stringify(value)).join(", ")}`;
  }
  const variants = variantsOf(schema, root);
  if (variants !== undefined) return variants.map(({ title }) => title).join(" | ");
  const type = typesOf(schema).join(" | ") || texts.anything;
  const { items } = schema;
  return type === "array" && items !== undefined && depth < maxDepth
    ? `array: ${typeText(resolve(items, root), root, depth + 1)}`
    : type;
}

function detailsOf(schema: Schema): readonly string[] {
  const format = textOf(schema, "format");
  const constraints = [...(format === undefined ? [] : [format]), ...constraintsOf(schema)];
  const { default: value } = schema;
  return value === undefined
    ? constraints
    : [...constraints, `${texts.default} ${JSON.stringify(value)}`];
}
