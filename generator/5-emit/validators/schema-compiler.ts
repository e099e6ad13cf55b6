import { Ajv, type CodeKeywordDefinition, type Options, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { ValueScope } from "ajv/dist/compile/codegen/index.js";
import { FORMAT_CHECKS, type FormatCheck } from "../../schema/formats/format-checks.js";
import { hasCycle } from "./bounded-run.js";
import { RECORDING_KEYWORDS, RECORDING_KEYWORDS_WITH_CONTAINS } from "./evaluation-record.js";
import { REPLACED_KEYWORDS, referenceKeyword, type CalledSchema } from "./replaced-keywords.js";
import type { PreparedSchema } from "./prepare-schema.js";
import { UNIONS } from "./unions.js";

const OPTIONS: Options = {
  allErrors: true,
  ownProperties: true,
  strict: false,
  // JavaScript reads `1e999` as Infinity. Schemas of numbers refuse it.
  strictNumbers: true,
  meta: false,
  validateSchema: false,
  logger: false,
  // The compiled functions never run here, so AJV gets a short substitute instead of parsing their code.
  code: { lines: true, source: true, process: () => "return () => false" },
};

/** With more functions than this, nested calls could overflow the stack. */
const UNBOUNDED_FUNCTIONS = 200;

/** Prefixes of the names by which AJV's code refers to values outside of a function. */
const SCOPE_PREFIXES = "validate wrapper root schema keyword pattern formats func obj Error".split(
  " ",
);

/** A schema compiled for its source code; its functions do not run. */
export interface CompiledSchema {
  readonly root: ValidateFunction;
  /** True if the calls of a check must be limited: functions call themselves, or are too many. */
  readonly isBounded: boolean;
}

/** An instance of AJV that compiles one schema after another and forgets each one afterwards. */
class SchemaCompiler {
  readonly #ajv: Ajv;
  /** The targets of references in the schema that is being compiled, by their keys. */
  #called: ReadonlyMap<string, CalledSchema> = new Map();
  /** The keys that the function being compiled refers to. */
  #referred = new Set<string>();

  constructor(prepared: PreparedSchema) {
    const Dialect = prepared.dialect === "draft-07" ? Ajv : Ajv2020;
    this.#ajv = new Dialect(OPTIONS);
    // Recording what is evaluated costs code and time. Ajv2020 would always do it.
    this.#ajv.opts.unevaluated = prepared.usesUnevaluated;
    this.#ajv.opts.dynamicRef = false;
    const reference = referenceKeyword((key) => {
      this.#referred.add(key);
      return this.#called.get(key);
    });
    for (const keyword of [...keywordsFor(prepared), ...UNIONS, reference]) {
      this.#ajv.removeKeyword(String(keyword.keyword)).addKeyword(keyword);
    }
    for (const [name, format] of FORMAT_CHECKS) addFormat(this.#ajv, name, format);
  }

  compile({ schema, targets }: PreparedSchema): CompiledSchema {
    this.#forget();
    const called = new Map([...targets.keys()].map((key): [string, CalledSchema] => [key, {}]));
    this.#called = called;
    const references = new Map<string, ReadonlySet<string>>();
    for (const [key, target] of called) {
      this.#referred = new Set();
      target.validate = this.#ajv.compile(targets.get(key) ?? true);
      references.set(key, this.#referred);
    }
    const isBounded = called.size > UNBOUNDED_FUNCTIONS || hasCycle(references);
    return { root: this.#ajv.compile(schema), isBounded };
  }

  /** Forgets earlier schemas and their names, so that numbers in names start at 0 again. */
  #forget(): void {
    this.#ajv.removeSchema();
    const scope = new ValueScope({ scope: {}, prefixes: new Set(SCOPE_PREFIXES), lines: true });
    Object.assign(this.#ajv, { scope });
  }
}

const compilers = new Map<string, SchemaCompiler>();

/**
 * Compiles a schema to source code. Schemas that need the same keywords share an instance of AJV; most
 * servers need one instance.
 */
export function compileToSource(prepared: PreparedSchema): CompiledSchema {
  const { dialect, usesUnevaluated, usesContained } = prepared;
  const key = [dialect, usesUnevaluated, usesContained].join();
  const compiler = compilers.get(key) ?? new SchemaCompiler(prepared);
  compilers.set(key, compiler);
  return compiler.compile(prepared);
}

function keywordsFor(prepared: PreparedSchema): readonly CodeKeywordDefinition[] {
  const { usesUnevaluated, usesContained } = prepared;
  return [
    ...REPLACED_KEYWORDS,
    ...(usesUnevaluated ? RECORDING_KEYWORDS : []),
    ...(usesContained ? RECORDING_KEYWORDS_WITH_CONTAINS : []),
  ];
}

function addFormat(ajv: Ajv, name: string, format: FormatCheck): void {
  if (format.kind === "expression") ajv.addFormat(name, format.expression);
  else if (format.kind === "string") ajv.addFormat(name, format.check);
  else ajv.addFormat(name, { type: "number", validate: format.check });
}
