import type { JsonSchema } from "../../model/json.js";
import { compileToSource } from "./ajv-compiler.js";
import { formatExpression } from "../../schema/formats/format-checks.js";
import { EqualRequests } from "./equal-requests.js";
import type { FormerValidators, Uses } from "./former-validators.js";
import { isWritable } from "./plain-schema.js";
import { writePlainSection } from "./plain-section.js";
import type { PreparedSchema } from "./prepare-schema.js";
import { writePieces } from "./write-pieces.js";
import { formatConstant, writeSection, type Section } from "./write-section.js";

/** A validator to be made. */
export interface ValidatorRequest {
  /** An ASCII identifier without `$` that ends in a word of the caller's (`Input`), unique among the requests. */
  readonly exportName: string;
  /** In wire form: valid and self-contained. */
  readonly schema: JsonSchema;
  /** Whether its findings are only ever named by their keywords, as in a log. */
  readonly namesKeywordsOnly?: boolean;
}

/** The module of validators and the declaration that belongs to it. */
export interface ValidatorModule {
  readonly javascript: string;
  readonly declaration: string;
}

/**
 * Compiles schemas to an ES module that imports nothing and compiles nothing itself. Schemas that
 * differ in annotations only are compiled once.
 *
 * @param header what opens both files: comment lines, made safe by the caller
 * @param former those of a former generation, which spare work
 */
export function emitValidators(
  requests: readonly ValidatorRequest[],
  header: string,
  former?: FormerValidators,
): ValidatorModule {
  const equals = new EqualRequests(requests, former);
  const firstNames = new Map<string, string>();
  const texts: string[] = [];
  const made: Section[] = [];
  const kept = new Set<string>();
  const aliases: string[] = [];
  for (const request of requests) {
    const { exportName } = request;
    if (!/^[A-Za-z_]\w*$/.test(exportName)) throw new Error(`${exportName} cannot be exported`);
    const key = equals.keyOf(request);
    const firstName = firstNames.get(key);
    if (firstName !== undefined) {
      aliases.push(`export const ${exportName} = ${firstName};`);
      continue;
    }
    firstNames.set(key, exportName);
    const known = former?.keptText(exportName);
    if (known !== undefined) kept.add(exportName);
    else made.push(sectionOf(request, equals.prepared(request), former));
    texts.push(known ?? made.at(-1)?.text ?? "");
  }
  const uses = former && kept.size > 0 ? former.usesBeside(kept, usesOf(made)) : usesOf(made);
  const parts = [header, ...writeShared(uses), ...texts];
  if (aliases.length > 0) parts.push(aliases.join("\n"));
  return {
    javascript: `${parts.join("\n\n")}\n`,
    declaration: writeDeclaration(requests, header),
  };
}

function usesOf(sections: readonly Section[]): Uses {
  return {
    pieces: new Set(sections.flatMap(({ pieces }) => [...pieces])),
    formats: new Set(sections.flatMap(({ formats }) => [...formats])),
  };
}

function sectionOf(
  request: ValidatorRequest,
  prepared: PreparedSchema,
  former: FormerValidators | undefined,
): Section {
  const { exportName, namesKeywordsOnly = false } = request;
  if (isWritable(prepared))
    return writePlainSection(exportName, prepared.schema, namesKeywordsOnly);
  const known = former?.section(request);
  if (known !== undefined) return known;
  const reading = { namesKeywordsOnly, hasUnions: prepared.hasUnions };
  return writeSection(exportName, compileToSource(prepared), reading);
}

/** What sections have in common: each function and each format once, and only those used. */
function writeShared({ pieces, formats }: Uses): string[] {
  const constants = [...formats]
    .sort()
    .map((format) => `const ${formatConstant(format)} = ${String(formatExpression(format))};`);
  const shared = writePieces(pieces);
  return constants.length === 0 ? shared : [constants.join("\n"), ...shared];
}

function writeDeclaration(requests: readonly ValidatorRequest[], header: string): string {
  const declarations = requests.map(
    ({ exportName }) => `export declare const ${exportName}: Validator;\n`,
  );
  const typeImport = 'import type { Validator } from "./runtime/engine/definition.js";';
  return `${header}\n\n${typeImport}\n\n${declarations.join("")}`;
}
