import { loadManifest } from "../../../1-load/load.js";
import { checkSchemas } from "../../../2-validate/schema-rules/check-schemas.js";
import type { Diagnostic } from "../../../model/diagnostic.js";

/** Manifests with schemas in one line, and what the rules of schemas find in them. */

/** Returns what the rules of schemas find in a manifest. @throws Error if it cannot be loaded */
export function diagnose(yaml: string): readonly Diagnostic[] {
  const { manifest, diagnostics } = loadManifest("mcp.yaml", Buffer.from(yaml));
  if (manifest === undefined) throw new Error(diagnostics[0]?.message);
  return checkSchemas(manifest);
}

/** The code of each finding, and the source text at its place. */
export function summarize(yaml: string): string[] {
  const lines = yaml.split("\n");
  return diagnose(yaml).map(({ code, line, column, endColumn }) => {
    const source = lines[line - 1]?.slice(column - 1, endColumn - 1);
    return `${code} ${source}`;
  });
}

/** A property of a tool's inputSchema. It has a description, so that nothing else is reported. */
export const property = (schema: string): string =>
  `tools: [{name: a, description: x, inputSchema: {type: object, properties: {p: ${schema}}}}]`;

/** A tool whose inputSchema has these further fields. */
export const toolWithInput = (fields: string): string =>
  tool(`inputSchema: {type: object, ${fields}}`);

/** A manifest with one tool, which has these further fields. */
export const tool = (fields: string): string => `tools: [{name: a, description: x, ${fields}}]`;

/** Shared schemas, each of which refers to the one before in two alternatives. */
export const branchingSchemas = (count: number): string =>
  numbered(
    count,
    (i) => `d${i}: {anyOf: [{$ref: "#/schemas/d${i - 1}"}, {$ref: "#/schemas/d${i - 1}"}]}`,
  );

/** Shared schemas, each of which refers to the one before. */
export const chainedSchemas = (count: number): string =>
  numbered(count, (i) => `c${i}: {$ref: "#/schemas/c${i - 1}"}`);

/** This number of properties of any value. */
export const untypedProperties = (count: number): string => numbered(count, (i) => `p${i}: {}`);

/** Joins what is written for each number from 1 on. */
export function numbered(count: number, write: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => write(index + 1)).join(", ");
}
