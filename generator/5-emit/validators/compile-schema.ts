import {
  Ajv,
  type CodeKeywordDefinition,
  type CodeOptions,
  type Options,
  type ValidateFunction,
} from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Validator } from "../../../templates/runtime/engine/definition.js";
import type { JsonObject, JsonSchema } from "../../model/json.js";
import { hasCircle, remembering, startRun } from "./bounded-run.js";
import {
  CHECKED_FORMATS,
  FORMAT_CHECKS,
  type FormatCheck,
} from "../../schema/formats/format-checks.js";
import { ACCOUNTING_KEYWORDS, ACCOUNTING_KEYWORDS_WITH_CONTAINS } from "./evaluation.js";
import { KEYWORDS_IN_PLACE_OF_AJV, referenceTo, type Parts } from "./keywords.js";
import type { Purpose, RunningValidator } from "./reading-validator.js";
import { prepareSchema, type PreparedSchema } from "./prepare-schema.js";
import { withBareAccounts } from "./rewrite-code.js";
import { checkBounded } from "./runtime-pieces.js";
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

interface Compiled {
  readonly root: ValidateFunction;
  readonly parts: Parts;
  /** Whether the effort of a check must be bounded: functions lead back to themselves, or are very many. */
  readonly isBounded: boolean;
}

/** Compiles a schema with an AJV of its own: nothing carries over from one schema to the next. */
function compileWith(prepared: PreparedSchema, options: Options): Compiled {
  const parts: Parts = new Map([...prepared.targets.keys()].map((key) => [key, {}]));
  const calls = new Map<string, Set<string>>();
  let called = new Set<string>();
  const reference = referenceTo(parts, (key) => called.add(key));
  const ajv = createAjv(prepared, options, reference);
  for (const [key, part] of parts) {
    called = new Set();
    part.validate = ajv.compile(prepared.targets.get(key) ?? true);
    calls.set(key, called);
  }
  const isBounded = parts.size > MOST_UNBOUNDED || hasCircle(calls);
  return { root: ajv.compile(prepared.schema), parts, isBounded };
}

/** A validator whose source code was kept; it does not run. */
export interface CompiledSource {
  readonly root: ValidateFunction;
  readonly isBounded: boolean;
}

/** Compiles a schema for the generated module. */
export function compileToSource(prepared: PreparedSchema): CompiledSource {
  const { schema, targets } = prepared;
  if (targets.size === 0 && typeof schema === "object") {
    return { root: compileShared(prepared, schema, "source"), isBounded: false };
  }
  return compileWith(prepared, OPTIONS_FOR.source);
}

/** Compiles a schema to run in this process. */
export function compilePrepared(prepared: PreparedSchema, purpose: Purpose): RunningValidator {
  const { schema, targets } = prepared;
  if (targets.size === 0 && typeof schema === "object") {
    return compileShared(prepared, schema, purpose);
  }
  const { root, parts, isBounded } = compileWith(prepared, OPTIONS_FOR[purpose]);
  if (!isBounded) return root;
  const run = startRun();
  for (const part of parts.values()) {
    if (part.validate !== undefined) part.validate = remembering(run, part.validate);
  }
  const validate: RunningValidator = (value) => checkBounded(run, validate, root, value);
  return validate;
}

function createAjv(
  prepared: PreparedSchema,
  options: Options,
  reference: CodeKeywordDefinition,
): Ajv {
  const Dialect = prepared.dialect === "draft-07" ? Ajv : Ajv2020;
  const ajv = new Dialect({ ...OPTIONS, ...options });
  // Keeping account of what was evaluated costs code and time; the class would always do it.
  ajv.opts.unevaluated = prepared.usesUnevaluated;
  ajv.opts.dynamicRef = false;
  const unions = options.verbose === true ? UNIONS_FINDING_ALL : UNIONS;
  for (const keyword of [...keywordsFor(prepared), ...unions, reference]) {
    ajv.removeKeyword(String(keyword.keyword)).addKeyword(keyword);
  }
  for (const [name, format] of FORMAT_CHECKS) addFormat(ajv, name, format);
  return ajv;
}

/** An AJV for schemas without references, of which most servers have nothing else. */
interface SharedAjv {
  readonly ajv: Ajv;
  uses: number;
}

const sharedAjvs = new Map<string, SharedAjv>();

/** An AJV keeps the names that it has given: after so many schemas a new one takes its place. */
const MOST_USES = 100;

/** Making an AJV costs as much as compiling a small schema; here, one is used again. */
function compileShared(
  prepared: PreparedSchema,
  schema: JsonObject,
  purpose: Purpose | "source",
): ValidateFunction {
  const { dialect, usesUnevaluated, usesContained } = prepared;
  const key = [purpose, dialect, usesUnevaluated, usesContained].join();
  let shared = sharedAjvs.get(key);
  if (shared === undefined || shared.uses === MOST_USES) {
    const reference = referenceTo(new Map(), () => undefined);
    shared = { ajv: createAjv(prepared, OPTIONS_FOR[purpose], reference), uses: 0 };
    sharedAjvs.set(key, shared);
  }
  shared.uses += 1;
  const validate = shared.ajv.compile(schema);
  shared.ajv.removeSchema(schema);
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
