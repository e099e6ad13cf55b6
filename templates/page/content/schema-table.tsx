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
import { Text } from "./text.js";

/** Deepest level of nested members and elements in the table. */
const deepest = 6;

/** Most rows of a table, since recursive schemas have no end. */
const mostRows = 200;

interface Row {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly depth: number;
}

/** A table with the names, types and descriptions of an object's members. */
export function SchemaTable({ schema: root }: { readonly schema: Schema }): JSX.Element {
  const rows = firstOf(rowsOf(resolve(root, root), root, 0), mostRows);
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
          <Text>{name}</Text>
        </code>
        {isRequired && <span class="mark">{texts.required}</span>}
      </th>
      <td>
        <Text>{typeWords(schema, root)}</Text>
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

function firstOf<Value>(values: Iterable<Value>, most: number): readonly Value[] {
  const found: Value[] = [];
  for (const value of values) {
    if (found.length === most) break;
    found.push(value);
  }
  return found;
}

function* rowsOf(schema: Schema, root: Schema, depth: number): Generator<Row> {
  if (depth > deepest) return;
  const required = new Set(requiredOf(schema));
  for (const [name, property] of Object.entries(asObject(schema["properties"]))) {
    const member = resolve(property, root);
    yield { name, schema: member, isRequired: required.has(name), depth };
    yield* rowsOf(elementsOf(member, root), root, depth + 1);
  }
}

/** The schema whose members are listed: the schema itself, or for a list that of its elements. */
function elementsOf(schema: Schema, root: Schema, depth = 0): Schema {
  return isObject(schema["items"]) && depth < deepest
    ? elementsOf(resolve(schema["items"], root), root, depth + 1)
    : schema;
}

function typeWords(schema: Schema, root: Schema, depth = 0): string {
  const choices = choicesOf(schema);
  if (choices !== undefined) {
    return `${texts.oneOf} ${choices.map(({ value }) => JSON.stringify(value)).join(", ")}`;
  }
  const variants = variantsOf(schema, root);
  if (variants !== undefined) return variants.map(({ title }) => title).join(" | ");
  const type = typesOf(schema).join(" | ") || texts.anything;
  const { items } = schema;
  return type === "array" && items !== undefined && depth < deepest
    ? `array: ${typeWords(resolve(items, root), root, depth + 1)}`
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
