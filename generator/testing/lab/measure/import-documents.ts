import { readFileSync } from "node:fs";
import { importOpenApi } from "../../../import/import-openapi.js";
import { readDocument } from "../../../import/read-document.js";
import { commandLinePlace } from "../../../model/catalogue/command-line.js";
import { publicDocuments } from "./public-documents.js";

/**
 * Imports real documents and prints a table: operations, imported, time, and what was left out with its
 * reasons. `npm run import:documents -- [SEED]`; the documents are kept in `node_modules/.cache`.
 */

const EVERYTHING = { tags: [], paths: ["/**"], methods: [], operations: [], exclude: [] };
const SEED = Number(process.argv[2] ?? 1);

interface Row {
  readonly name: string;
  readonly operations: number;
  readonly wanted: number;
  readonly imported: number;
  readonly milliseconds: number;
  readonly reasons: readonly string[];
}

/** Reasons that name schemas, types or parameters are one. */
const general = (reason: string): string => reason.replace(/"[^"]*"|#\/\S+/g, "…");

function importedRow(name: string, path: string): Row {
  const start = performance.now();
  const read = readDocument(name, readFileSync(path));
  if ("problem" in read) {
    const reasons = [`refused: ${read.problem.message} (line ${read.problem.line})`];
    return { name, operations: 0, wanted: 0, imported: 0, milliseconds: 0, reasons };
  }
  const { operations, selected, tools, diagnostics } = importOpenApi(read.document, {
    selection: EVERYTHING,
    withOutput: true,
    recordedPath: name,
    place: commandLinePlace(0),
  });
  const milliseconds = Math.round(performance.now() - start);
  const reasons = diagnostics
    .filter(({ code }) => code === "MW6110")
    .map(({ message }) =>
      general(/ is left out: it (.*) \(#[^]*\)$/.exec(message)?.[1] ?? message),
    );
  const counts = { operations: operations.length, wanted: selected.length, imported: tools.length };
  return { name, ...counts, milliseconds, reasons };
}

function print(rows: readonly Row[]): void {
  for (const { name, operations, wanted, imported, milliseconds, reasons } of rows) {
    const counts = [operations, wanted, imported, milliseconds].map((count) =>
      String(count).padStart(6),
    );
    console.log(`${counts.join("")}  ${name}${reasons.length > 0 ? `: ${summary(reasons)}` : ""}`);
  }
  const sum = (key: "operations" | "wanted" | "imported"): number =>
    rows.reduce((total, row) => total + row[key], 0);
  console.log(`\n${rows.length} documents, ${sum("operations")} operations`);
  console.log(`${sum("wanted")} not deprecated or hidden, ${sum("imported")} imported\n`);
  console.log(summary(rows.flatMap(({ reasons }) => reasons)).replaceAll("; ", "\n"));
}

function summary(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  return sorted.map(([reason, count]) => `${count} × ${reason}`).join("; ");
}

const rows: Row[] = [];
for (const { name, path } of await publicDocuments(SEED)) {
  try {
    rows.push(importedRow(name, path));
  } catch (error) {
    process.exitCode = 1;
    console.log(`BUG in ${name}: ${(error as Error).stack}`);
  }
}
print(rows);
