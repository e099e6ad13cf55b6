import {
  Ajv,
  type CodeKeywordDefinition,
  type CodeOptions,
  type Options,
  type ValidateFunction,
} from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Validator } from "../../../templates/runtime/definition.js";
import type { JsonSchema } from "../../model/json.js";
import { CHECKED_FORMATS, FORMAT_CHECKS, type FormatCheck } from "./formats.js";
import { ACCOUNTING_KEYWORDS, ACCOUNTING_KEYWORDS_WITH_CONTAINS } from "./evaluation.js";
import { KEYWORDS_IN_PLACE_OF_AJV, referenceTo, type Parts } from "./keywords.js";
import { prepareSchema, type PreparedSchema } from "./prepare-schema.js";
import { lookUpOwnKeys } from "./rewrite-code.js";

const OPTIONS: Options = {
  allErrors: true,
  ownProperties: true,
  strict: false,
  // Infinity is what `1e999` becomes; no schema of a number means it.
  strictNumbers: true,
  meta: false,
  validateSchema: false,
  logger: false,
};

/** `source` keeps the source code, `use` runs in this process, `study` says in each finding which schema made it. */
export type Purpose = "source" | "use" | "study";

/** Code that runs a few times is not worth AJV's optimizing. */
const RUNNING_CODE: CodeOptions = { lines: true, optimize: false, process: lookUpOwnKeys };

const OPTIONS_FOR: Readonly<Record<Purpose, Options>> = {
  // AJV would have the engine parse every function; nothing calls these here.
  source: { code: { lines: true, source: true, process: () => "return () => false" } },
  use: { code: RUNNING_CODE },
  study: { code: RUNNING_CODE, verbose: true },
};

/** Compiles a schema with an AJV of its own: nothing carries over from one schema to the next. */
export function compilePrepared(prepared: PreparedSchema, purpose: Purpose): ValidateFunction {
  const Dialect = prepared.dialect === "draft-07" ? Ajv : Ajv2020;
  const ajv = new Dialect({ ...OPTIONS, ...OPTIONS_FOR[purpose] });
  // Keeping account of what was evaluated costs code and time; the class would always do it.
  ajv.opts.unevaluated = prepared.usesUnevaluated;
  ajv.opts.dynamicRef = false;
  const parts: Parts = new Map([...prepared.targets.keys()].map((key) => [key, {}]));
  for (const keyword of [...keywordsFor(prepared), referenceTo(parts)]) {
    ajv.removeKeyword(String(keyword.keyword)).addKeyword(keyword);
  }
  for (const [name, format] of FORMAT_CHECKS) addFormat(ajv, name, format);
  for (const [key, part] of parts) part.validate = ajv.compile(prepared.targets.get(key) ?? true);
  return ajv.compile(prepared.schema);
}

function keywordsFor(prepared: PreparedSchema): readonly CodeKeywordDefinition[] {
  const { usesUnevaluated, usesContained } = prepared;
  return [
    ...KEYWORDS_IN_PLACE_OF_AJV,
    ...(usesUnevaluated ? ACCOUNTING_KEYWORDS : []),
    ...(usesContained ? ACCOUNTING_KEYWORDS_WITH_CONTAINS : []),
  ];
}

function addFormat(ajv: Ajv, name: string, format: FormatCheck): void {
  if (format.kind === "expression") ajv.addFormat(name, format.expression);
  else if (format.kind === "string") ajv.addFormat(name, format.check);
  else ajv.addFormat(name, { type: "number", validate: format.check });
}

/**
 * The validator of a schema for use in this process: it answers as the emitted one does, and
 * keeps all findings.
 *
 * @param schema in wire form: valid and self-contained
 */
export function compileValidator(schema: JsonSchema): Validator {
  return compilePrepared(prepareSchema(schema, CHECKED_FORMATS), "use");
}
