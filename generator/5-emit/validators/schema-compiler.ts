import {
  Ajv,
  type CodeKeywordDefinition,
  type CodeOptions,
  type Options,
  type ValidateFunction,
} from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { ValueScope } from "ajv/dist/compile/codegen/index.js";
import type { Validator } from "../../../templates/runtime/engine/definition.js";
import { checkBounded, startRun } from "../../../templates/validators/bounded-run.js";
import {
  CHECKED_FORMATS,
  FORMAT_CHECKS,
  type FormatCheck,
} from "../../schema/formats/format-checks.js";
import type { JsonSchema } from "../../model/json.js";
import { hasCircle, remembering } from "./bounded-run.js";
import { ACCOUNTING_KEYWORDS, ACCOUNTING_KEYWORDS_WITH_CONTAINS } from "./evaluation.js";
import { KEYWORDS_IN_PLACE_OF_AJV, referenceTo, type CalledSchema } from "./keywords.js";
import { prepareSchema, type PreparedSchema } from "./prepare-schema.js";
import type { Purpose, RunningValidator } from "./reading-validator.js";
import { withBareAccounts } from "./rewrite-code.js";
import { UNIONS, UNIONS_FINDING_ALL } from "./unions.js";

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

/** Code that runs a few times is not worth AJV's optimizing. */
const RUNNING_CODE: CodeOptions = { lines: true, optimize: false, process: withBareAccounts };

const OPTIONS_FOR: Readonly<Record<Purpose | "source", Options>> = {
  // AJV would have the engine parse every function; nothing calls these here.
  source: { code: { lines: true, source: true, process: () => "return () => false" } },
  use: { code: RUNNING_CODE },
  study: { code: RUNNING_CODE, verbose: true },
};

/** More functions than these could call each other deeper than the stack bears. */
const MOST_UNBOUNDED = 200;

/** The kinds of names in AJV's code that stand for values outside of it. */
const SCOPE_PREFIXES = "validate wrapper root schema keyword pattern formats func obj Error".split(
  " ",
);

/** A compiled schema. Of one compiled for its source code, no function runs. */
export interface CompiledSchema {
  readonly root: ValidateFunction;
  /** The functions that references lead to. */
  readonly called: ReadonlyMap<string, CalledSchema>;
  /** Whether the effort of a check must be bounded: functions lead back to themselves, or are very many. */
  readonly isBounded: boolean;
}

/** An AJV that compiles one schema after another and keeps nothing of them. */
class SchemaCompiler {
  readonly #ajv: Ajv;
  /** The schemas that the references of the present one lead to, by their keys. */
  #called: ReadonlyMap<string, CalledSchema> = new Map();
  /** The keys that the function being compiled refers to. */
  #referred = new Set<string>();

  constructor(prepared: PreparedSchema, purpose: Purpose | "source") {
    const Dialect = prepared.dialect === "draft-07" ? Ajv : Ajv2020;
    this.#ajv = new Dialect({ ...OPTIONS, ...OPTIONS_FOR[purpose] });
    // Keeping account of what was evaluated costs code and time; the class would always do it.
    this.#ajv.opts.unevaluated = prepared.usesUnevaluated;
    this.#ajv.opts.dynamicRef = false;
    const reference = referenceTo((key) => {
      this.#referred.add(key);
      return this.#called.get(key);
    });
    const unions = purpose === "study" ? UNIONS_FINDING_ALL : UNIONS;
    for (const keyword of [...keywordsFor(prepared), ...unions, reference]) {
      this.#ajv.removeKeyword(String(keyword.keyword)).addKeyword(keyword);
    }
    for (const [name, format] of FORMAT_CHECKS) addFormat(this.#ajv, name, format);
  }

  compile({ schema, targets }: PreparedSchema): CompiledSchema {
    this.#forget();
    const called = new Map([...targets.keys()].map((key): [string, CalledSchema] => [key, {}]));
    this.#called = called;
    const references = new Map<string, ReadonlySet<string>>();
    for (const [key, one] of called) {
      this.#referred = new Set();
      one.validate = this.#ajv.compile(targets.get(key) ?? true);
      references.set(key, this.#referred);
    }
    const isBounded = called.size > MOST_UNBOUNDED || hasCircle(references);
    return { root: this.#ajv.compile(schema), called, isBounded };
  }

  /** Forgets the schemas before, and the names that were given for them: the next starts at 0. */
  #forget(): void {
    this.#ajv.removeSchema();
    const scope = new ValueScope({ scope: {}, prefixes: new Set(SCOPE_PREFIXES), lines: true });
    Object.assign(this.#ajv, { scope });
  }
}

const compilers = new Map<string, SchemaCompiler>();

/** The one compiler for schemas like this one: most servers have only one kind. */
function compilerFor(prepared: PreparedSchema, purpose: Purpose | "source"): SchemaCompiler {
  const { dialect, usesUnevaluated, usesContained } = prepared;
  const key = [purpose, dialect, usesUnevaluated, usesContained].join();
  const compiler = compilers.get(key) ?? new SchemaCompiler(prepared, purpose);
  compilers.set(key, compiler);
  return compiler;
}

/** Compiles a schema for the generated project. */
export function compileToSource(prepared: PreparedSchema): CompiledSchema {
  return compilerFor(prepared, "source").compile(prepared);
}

/** Compiles a schema to run in this process. */
export function compilePrepared(prepared: PreparedSchema, purpose: Purpose): RunningValidator {
  const { root, called, isBounded } = compilerFor(prepared, purpose).compile(prepared);
  if (!isBounded) return root;
  const run = startRun();
  for (const one of called.values()) {
    if (one.validate !== undefined) one.validate = remembering(run, one.validate);
  }
  const validate: RunningValidator = (value) => checkBounded(run, validate, root, value);
  return validate;
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
