import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { texts } from "../texts.js";
import { Shortened } from "./shortened.js";
import { Name, Text } from "./text.js";
import { visible } from "./visible-text.js";

/** Lists with more columns than this are shown as trees. */
const maxColumns = 12;

type Row = Readonly<Record<string, unknown>>;

/** A value as a table if it is a list of similar objects, otherwise as a tree. */
export function DataView({ value }: { readonly value: unknown }): JSX.Element {
  const columns = columnsOf(value);
  return columns === undefined ? (
    <Tree value={value} depth={0} />
  ) : (
    <Table rows={value as readonly Row[]} columns={columns} label={texts.structured} />
  );
}

/** The columns for a list of objects that contain no objects or lists. Undefined for other values. */
function columnsOf(value: unknown): readonly Column[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const columns = new Set<string>();
  for (const row of value as readonly unknown[]) {
    if (typeof row !== "object" || row === null || Array.isArray(row)) return undefined;
    for (const [name, cell] of Object.entries(row)) {
      if (typeof cell === "object" && cell !== null) return undefined;
      columns.add(name);
    }
  }
  return columns.size > 0 && columns.size <= maxColumns
    ? [...columns].map((name) => ({ name, label: name }))
    : undefined;
}

/** A key of rows, with its name for people. */
interface Column {
  readonly name: string;
  readonly label: string;
}

/** A list of objects. Objects and lists in them are shown as trees in their cells. */
export function Table(props: {
  readonly rows: readonly Row[];
  readonly columns: readonly Column[];
  readonly label: string;
}): JSX.Element {
  const { rows, columns } = props;
  return (
    <Shortened count={rows.length}>
      {(shown) => (
        <div class="scroll" tabIndex={0} role="group" aria-label={visible(props.label)}>
          <table>
            <thead>
              <tr>
                {columns.map(({ name, label }) => (
                  <th key={name} scope="col">
                    <Name>{label}</Name>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, shown).map((row, index) => (
                <tr key={index}>
                  {columns.map(({ name }) => (
                    <td key={name} class={typeof row[name]}>
                      {Object.hasOwn(row, name) && <Tree value={row[name]} depth={1} />}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Shortened>
  );
}

function Tree({ value, depth }: { readonly value: unknown; readonly depth: number }): JSX.Element {
  if (typeof value !== "object" || value === null) return <Scalar value={value} />;
  const table = depth > 0 ? columnsOf(value) : undefined;
  if (table !== undefined) {
    return <Table rows={value as readonly Row[]} columns={table} label={texts.structured} />;
  }
  const entries = Object.entries(value);
  return (
    <Shortened count={entries.length}>
      {(shown) => (
        <dl class="tree">
          {entries.slice(0, shown).map(([name, member]) => (
            <Branch key={name} name={name} value={member} depth={depth} />
          ))}
        </dl>
      )}
    </Shortened>
  );
}

/** The number of levels of a tree that are open at first. */
const openDepth = 3;

function Branch(props: {
  readonly name: string;
  readonly value: unknown;
  readonly depth: number;
}): JSX.Element {
  const { name, value, depth } = props;
  const [isOpen, setOpen] = useState(depth < openDepth);
  const isNested = typeof value === "object" && value !== null && Object.keys(value).length > 0;
  return (
    <div class={isNested ? "branch" : "leaf"}>
      <dt>
        {isNested ? (
          <button
            type="button"
            class="quiet fold"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <Name>{name}</Name>
            {!isOpen && <SizeOf value={value} />}
          </button>
        ) : (
          <Name>{name}</Name>
        )}
      </dt>
      {(!isNested || isOpen) && (
        <dd>
          <Tree value={value} depth={depth + 1} />
        </dd>
      )}
    </div>
  );
}

function SizeOf({ value }: { readonly value: object }): JSX.Element {
  const { length } = Object.keys(value);
  return (
    <span class="hint">
      {" "}
      {Array.isArray(value) ? texts.elements(length) : texts.members(length)}
    </span>
  );
}

function Scalar({ value }: { readonly value: unknown }): JSX.Element {
  if (typeof value === "string") return <span class="string">{<Text>{value}</Text>}</span>;
  const text = Array.isArray(value)
    ? "[]"
    : typeof value === "object" && value
      ? "{}"
      : String(value);
  return <span class={value === null ? "null" : typeof value}>{visible(text)}</span>;
}
