import { _, Name, str, type CodeKeywordDefinition, type KeywordCxt, type SchemaCxt } from "ajv";
import { strConcat } from "ajv/dist/compile/codegen/code.js";
import names from "ajv/dist/compile/names.js";
import { openAccount } from "./evaluation.js";
import { sharedFunction } from "./shared-functions.js";

/** What a union does with what its alternatives find. */
interface Findings {
  /** After an alternative; `passes` says whether it fits. */
  keep(passes: Name): void;
  /** Where none fits. */
  reportMisfit(): void;
  /** Where one does; nothing where no findings of others are left. */
  readonly forget?: () => void;
}

type FindingsOf = (context: KeywordCxt) => Findings;

/** Keeps the findings of all alternatives, which are only counted. */
const countedFindings: FindingsOf = (context) => ({
  keep: () => undefined,
  reportMisfit: () => context.error(true),
  forget: () => context.reset(),
});

/** What an alternative found: all that comes after the first `count` findings. */
function issuesSince(issues: readonly unknown[] | null, count: number): readonly unknown[] {
  return issues?.slice(count) ?? [];
}

/** Keeps what helps to mend the value: the findings of the alternative that comes closest. */
const closestFindings: FindingsOf = (context) => {
  const { gen, it, keyword, errsCount } = context;
  // Nobody will see them.
  if (it.createErrors === false) return countedFindings(context);
  const { vErrors, errors, instancePath } = names.default;
  const tried = gen.const("tried", _`[]`);
  const since = gen.scopeValue("func", { ref: issuesSince });
  return {
    keep: (passes) =>
      gen.if(_`!${passes}`, () => {
        gen.code(_`${tried}.push(${since}(${vErrors}, ${errsCount}))`);
        context.reset();
      }),
    reportMisfit: () => {
      const place = strConcat(instancePath, it.errorPath);
      const weigh = sharedFunction(gen, "unionIssues");
      const found = gen.const("found", _`${weigh}(${tried}, ${keyword}, ${place})`);
      gen.assign(vErrors, _`${vErrors} === null ? ${found} : ${vErrors}.concat(${found})`);
      gen.assign(errors, _`${vErrors}.length`);
    },
  };
};

/** One alternative after the other, where AJV's own nests each in the one before it, too deep to be parsed. */
const anyOf: CodeKeywordDefinition = {
  keyword: "anyOf",
  schemaType: "array",
  trackErrors: true,
  error: { message: "must match a schema in anyOf" },
  code(context) {
    const { gen, it } = context;
    openAccount(context);
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

/** Flat, like `anyOf`. */
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
    openAccount(context);
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

/** Unions that find what whoever gave the value needs to know. */
export const UNIONS = [anyOf, oneOf];
