import { code, prose } from "../../text/markdown.js";
import type { FieldRow } from "./schema-in-words.js";

/** A Markdown table of a schema's fields. Empty columns are left out, except name and type. */
export function fieldTable(rows: readonly FieldRow[]): string {
  const columns = COLUMNS.map(({ heading, cell }) => ({ heading, cells: rows.map(cell) })).filter(
    ({ heading, cells }) =>
      heading === "Name" || heading === "Type" || cells.some((text) => text !== ""),
  );
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    line(columns.map(({ heading }) => heading)),
    line(columns.map(() => "---")),
    ...rows.map((_, index) => line(columns.map(({ cells }) => cells[index] ?? ""))),
  ].join("\n");
}

const COLUMNS: readonly { heading: string; cell: (row: FieldRow) => string }[] = [
  { heading: "Name", cell: ({ name }) => code(name) },
  { heading: "Type", cell: ({ type }) => prose(type) },
  { heading: "Required", cell: ({ required }) => (required ? "yes" : "") },
  {
    heading: "Default",
    cell: (row) => (row.default === undefined ? "" : code(JSON.stringify(row.default))),
  },
  { heading: "HTTP header", cell: ({ header }) => (header === undefined ? "" : code(header)) },
  { heading: "Description", cell: ({ description }) => prose(description) },
];
