import { Ajv, type CodeKeywordDefinition, type Options, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { ValueScope } from "ajv/dist/compile/codegen/index.js";
import { FORMAT_CHECKS, type FormatCheck } from "../../schema/formats/format-checks.js";
import { hasCircle } from "./bounded-run.js";
import { ACCOUNTING_KEYWORDS, ACCOUNTING_KEYWORDS_WITH_CONTAINS } from "./evaluation.js";
import { KEYWORDS_IN_PLACE_OF_AJV, referenceTo, type CalledSchema } from "./keywords.js";
import type { PreparedSchema } from "./prepare-schema.js";
import { UNIONS } from "./unions.js";

const OPTIONS: Options = {
  allErrors: true,
  ownProperties: true,
  strict: false,
  // Infinity is what `1e999` becomes; no schema of a number means it.
  strictNumbers: true,
  meta: false,
  validateSchema: false,
  logger: false,
  // AJV would have the engine parse every function; nothing calls these here.
  code: { lines: true, source: true, process: () => "return () => false" },
};

/** More functions than these could call each other deeper than the stack bears. */
const MOST_UNBOUNDED = 200;

/** The kinds of names in AJV's code that stand for values outside of it. */
const SCOPE_PREFIXES = "validate wrapper root schema keyword pattern formats func obj Error".split(
  " ",
);

/** A schema compiled for its source code; its functions do not run. */
export interface CompiledSchema {
  readonly root: ValidateFunction;
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

  constructor(prepared: PreparedSchema) {
    const Dialect = prepared.dialect === "draft-07" ? Ajv : Ajv2020;
    this.#ajv = new Dialect(OPTIONS);
    // Keeping account of what was evaluated costs code and time; the class would always do it.
    this.#ajv.opts.unevaluated = prepared.usesUnevaluated;
    this.#ajv.opts.dynamicRef = false;
    const reference = referenceTo((key) => {
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
    for (const [key, one] of called) {
      this.#referred = new Set();
      one.validate = this.#ajv.compile(targets.get(key) ?? true);
      references.set(key, this.#referred);
    }
    const isBounded = called.size > MOST_UNBOUNDED || hasCircle(references);
    return { root: this.#ajv.compile(schema), isBounded };
  }

  /** Forgets the schemas before, and the names that were given for them: the next starts at 0. */
  #forget(): void {
    this.#ajv.removeSchema();
    const scope = new ValueScope({ scope: {}, prefixes: new Set(SCOPE_PREFIXES), lines: true });
    Object.assign(this.#ajv, { scope });
  }
}

const compilers = new Map<string, SchemaCompiler>();

/** Compiles a schema for the generated project. Most servers have one kind of schemas, and so one AJV. */
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
