import type { CatalogueEntry, DiagnosticMaker } from "../catalogue-entry.js";
import * as diagnostics from "./diagnostics.js";

type AnyMaker = DiagnosticMaker<never>;

const isMaker = (exported: unknown): exported is AnyMaker =>
  typeof exported === "function" && "entry" in exported;

/** Every diagnostic that mcpwright can report, by code. */
export const allEntries: readonly CatalogueEntry<never>[] = Object.values<unknown>(diagnostics)
  .filter(isMaker)
  .map(({ entry }) => entry)
  .sort((a, b) => (a.code < b.code ? -1 : 1));
