import { Ajv, type CodeKeywordDefinition, type Options, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { ValueScope } from "ajv/dist/compile/codegen/index.js";
import { CHECKS, FORMATS, ofType } from "../../schema/keywords/emission/checks.js";
import { recordMark } from "../../schema/keywords/emission/evaluation-record.js";
import { endingLoop, LOOPING_KEYWORDS, LOOPS } from "../../schema/keywords/emission/loops.js";
import type { PreparedSchema } from "../../schema/keywords/emission/prepare-schema.js";
import { referenceKeyword, type CalledSchema } from "../../schema/keywords/emission/reference.js";
import { reporting, type FindingOptions } from "../../schema/keywords/emission/report.js";
import {
  RECORDING_KEYWORDS,
  RECORDING_KEYWORDS_WITH_CONTAINS,
} from "../../schema/keywords/emission/unevaluated.js";
import { UNIONS } from "../../schema/keywords/emission/unions.js";

const OPTIONS: Options = {
  allErrors: true,
  ownProperties: true,
  strict: false,
  // JavaScript reads `1e999` as Infinity. Schemas of numbers refuse it.
  strictNumbers: true,
  meta: false,
  validateSchema: false,
  validateFormats: false,
  logger: false,
  // AJV would write a loop over names that it reads in the whole schema.
  loopRequired: Infinity,
  // The compiled functions never run here, so AJV gets a short substitute instead of parsing their code.
  code: { lines: true, source: true, process: () => "return () => false" },
};

/** Finds the name under which the function of a shared schema is imported. */
export type ImportedName = (sharedName: string) => string;

/** An instance of AJV that compiles one schema after another. */
class SchemaCompiler {
  readonly #ajv: Ajv;
  #options: FindingOptions = { namesKeywordsOnly: false, hasUnions: false };
  /** The targets of references in the schema that is being compiled, by their keys; names of those that are imported. */
  #called: ReadonlyMap<string, CalledSchema | string> = new Map();

  constructor(prepared: PreparedSchema) {
    const Dialect = prepared.dialect === "draft-07" ? Ajv : Ajv2020;
    this.#ajv = new Dialect(OPTIONS);
    // Recording what is evaluated costs code and time. Ajv2020 would always do it.
    this.#ajv.opts.unevaluated = prepared.usesUnevaluated;
    this.#ajv.opts.dynamicRef = false;
    const reference = referenceKeyword((key) => this.#called.get(key));
    this.#ajv.removeKeyword("format").addKeyword(ofType);
    for (const format of FORMATS) this.#ajv.addKeyword(format);
    if (prepared.usesUnevaluated) this.#ajv.addKeyword(recordMark);
    this.#replace([reference, ...keywordsFor(prepared)]);
  }

  /** Replaces keywords in their places, and has every keyword report as all others do. */
  #replace(replacements: readonly CodeKeywordDefinition[]): void {
    const byName = new Map(replacements.map((one) => [one.keyword, one]));
    const { rules, post } = this.#ajv.RULES;
    for (const rule of [...rules, post].flatMap((group) => group.rules)) {
      const { type, schemaType } = rule.definition;
      const definition = byName.get(rule.keyword) ?? rule.definition;
      if (!("code" in definition)) continue;
      const isLoop = LOOPING_KEYWORDS.has(rule.keyword) && !byName.has(rule.keyword);
      const ending = isLoop ? endingLoop(definition) : definition;
      const reported = reporting(ending, () => this.#options);
      rule.definition = { ...reported, type, schemaType };
    }
  }

  /**
   * @param scope the names of the module; schemas of one module share it
   */
  compile(
    { schema, targets, shared }: PreparedSchema,
    options: FindingOptions,
    scope: ValueScope,
    importedName: ImportedName,
  ): ValidateFunction {
    this.#ajv.removeSchema();
    Object.assign(this.#ajv, { scope });
    this.#options = options;
    const called = new Map([...targets.keys()].map((key): [string, CalledSchema] => [key, {}]));
    const imported = [...shared].map(([key, name]) => [key, importedName(name)] as const);
    this.#called = new Map<string, CalledSchema | string>([...called, ...imported]);
    for (const [key, target] of called) {
      target.validate = this.#ajv.compile(targets.get(key) ?? true);
    }
    return this.#ajv.compile(schema);
  }
}

const compilers = new Map<string, SchemaCompiler>();

/**
 * Compiles a schema for its source code; its functions do not run. Schemas that need the same keywords share an instance of AJV; most
 * servers need one instance.
 */
export function compileToSource(
  prepared: PreparedSchema,
  options: FindingOptions,
  scope: ValueScope,
  importedName: ImportedName,
): ValidateFunction {
  const { dialect, usesUnevaluated, usesContained } = prepared;
  const key = [dialect, usesUnevaluated, usesContained].join();
  const compiler = compilers.get(key) ?? new SchemaCompiler(prepared);
  compilers.set(key, compiler);
  return compiler.compile(prepared, options, scope, importedName);
}

function keywordsFor(prepared: PreparedSchema): readonly CodeKeywordDefinition[] {
  const { usesUnevaluated, usesContained } = prepared;
  return [
    ...CHECKS,
    ...LOOPS,
    ...UNIONS,
    ...(usesUnevaluated ? RECORDING_KEYWORDS : []),
    ...(usesContained ? RECORDING_KEYWORDS_WITH_CONTAINS : []),
  ];
}
