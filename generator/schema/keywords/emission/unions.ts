import { _, Name, str, type CodeKeywordDefinition, type KeywordCxt, type SchemaCxt } from "ajv";
import { strConcat } from "ajv/dist/compile/codegen/code.js";
import names from "ajv/dist/compile/names.js";
import { startRecord } from "./evaluation-record.js";
import { sharedFunction } from "./report.js";

/** Writes the code by which a union handles the findings of its alternatives. */
interface Findings {
  /** Code after an alternative. The variable `passes` says whether the value fits it. */
  keep(passes: Name): void;
  /** Code for a value that fits no alternative. */
  reportMisfit(): void;
  /** Code for a value that fits. Missing if no findings are left to remove. */
  readonly forget?: () => void;
}

type FindingsOf = (context: KeywordCxt) => Findings;

/** Counts the findings of all alternatives and reports none of them. */
const countedFindings: FindingsOf = (context) => ({
  keep: () => undefined,
  reportMisfit: () => context.error(true),
  forget: () => context.reset(),
});

/** Reports the findings of the closest alternative, which help most to correct the value. */
const closestFindings: FindingsOf = (context) => {
  const { gen, it, keyword, errsCount } = context;
  // AJV creates no findings where nobody will read them.
  if (it.createErrors === false) return countedFindings(context);
  const { vErrors, errors, instancePath } = names.default;
  const tried = gen.const("tried", _`[]`);
  return {
    keep: (passes) =>
      gen.if(_`!${passes}`, () => {
        gen.code(_`${tried}.push(${vErrors}.slice(${errsCount}))`);
        context.reset();
      }),
    reportMisfit: () => {
      const place = strConcat(instancePath, it.errorPath);
      const weigh = sharedFunction(context, "unionIssues");
      const found = gen.const("found", _`${weigh}(${tried}, ${keyword}, ${place})`);
      gen.assign(vErrors, _`${vErrors} === null ? ${found} : ${vErrors}.concat(${found})`);
      gen.assign(errors, _`${vErrors}.length`);
    },
  };
};

/** `anyOf` with one alternative after the other. AJV's own nests them, which can be too deep to parse. */
const anyOf: CodeKeywordDefinition = {
  keyword: "anyOf",
  schemaType: "array",
  trackErrors: true,
  error: { message: "must match a schema in anyOf" },
  code(context) {
    const { gen, it } = context;
    startRecord(context);
    const findings = closestFindings(context);
    const valid = gen.let("valid", false);
    const passes = gen.name("fits");
    for (const index of alternativesOf(context)) {
      const tryAlternative = (): void => {
        const alternative = subschemaAt(context, index, passes);
        gen.assign(valid, _`${valid} || ${passes}`);
        context.mergeValidEvaluated(alternative, passes);
        findings.keep(passes);
      };
      if (it.opts.unevaluated || index === 0) tryAlternative();
      else gen.if(_`!${valid}`, tryAlternative);
    }
    context.result(valid, findings.forget, () => findings.reportMisfit());
  },
};

/** `oneOf` with one alternative after the other, like `anyOf`. */
const oneOf: CodeKeywordDefinition = {
  keyword: "oneOf",
  schemaType: "array",
  trackErrors: true,
  error: {
    message: ({ params: { passing } }) =>
      passing === undefined
        ? "must match exactly one schema in oneOf"
        : str`must match exactly one schema in oneOf, but matches numbers ${_`${passing}.join(" and ")`}`,
    params: ({ params: { passing } }) => _`{passingSchemas: ${passing ?? null}}`,
  },
  code(context) {
    const { gen } = context;
    startRecord(context);
    const findings = closestFindings(context);
    const valid = gen.let("valid", false);
    const passing = gen.let("passing", null);
    const passes = gen.name("fits");
    for (const index of alternativesOf(context)) {
      const alternative = subschemaAt(context, index, passes);
      const isFirst = (): void => {
        gen.assign(valid, true).assign(passing, _`[${index + 1}]`);
        context.mergeEvaluated(alternative, Name);
      };
      const isSecond = (): void => {
        gen.assign(valid, false).code(_`${passing}.push(${index + 1})`);
      };
      gen.if(passes, () => gen.if(_`${passing} === null`, isFirst, () => gen.if(valid, isSecond)));
      findings.keep(passes);
    }
    const report = (): void => {
      const reportNone = (): void => findings.reportMisfit();
      gen.if(_`${passing} === null`, reportNone, () => {
        context.setParams({ passing });
        context.error(true);
      });
    };
    context.result(valid, findings.forget, report);
  },
};

const alternativesOf = ({ schema }: KeywordCxt): Iterable<number> =>
  (schema as readonly unknown[]).keys();

function subschemaAt(context: KeywordCxt, index: number, valid: Name): SchemaCxt {
  const { keyword } = context;
  return context.subschema({ keyword, schemaProp: index, compositeRule: true }, valid);
}

/** Keywords that replace AJV's unions and report the closest alternative. */
export const UNIONS = [anyOf, oneOf];
