import { _, Name, type Code, type CodeGen, type CodeKeywordDefinition, type KeywordCxt } from "ajv";
import { strConcat } from "ajv/dist/compile/codegen/code.js";
import names from "ajv/dist/compile/names.js";

/** A keyword of our own: `type`. AJV checks its own `type` outside of all keywords, where nothing can be replaced. */
export const OF_TYPE = "ofType";

/** A keyword of our own: `format` of numbers. */
export const NUMBER_FORMAT = "numberFormat";

/** The function of the runtime that matches slow patterns. It needs a `bounded` validator, which limits their work. */
export const SLOW_MATCH = "matchesSlowly";

/** How much the findings of a validator say. */
export interface FindingOptions {
  /**
   * True if findings give their place, their keyword and the name of a missing property only: they go to a log, which
   * must not contain values.
   */
  readonly namesKeywordsOnly: boolean;
  /** True if the schema has unions, which weigh their alternatives by whether a type is wrong. */
  readonly hasUnions: boolean;
}

/** The name of a function of `templates/runtime/validators/`, which the module must import. */
export function sharedFunction({ gen }: { readonly gen: CodeGen }, name: string): Name {
  const code = new Name(name);
  gen.scopeValue("shared", { ref: name, code });
  return code;
}

/** Keywords whose findings keep their parameters: servers read them to say more than the message. */
const READ_PARAMETERS: ReadonlySet<string> = new Set([
  "enum",
  "const",
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
]);

/** Keywords of our own that are reported as others. */
const REPORTED_AS: Readonly<Record<string, string>> = {
  [OF_TYPE]: "type",
  [NUMBER_FORMAT]: "format",
};

/**
 * A keyword whose findings are added by one statement. AJV's own object literals take eight lines each and hold
 * members that nobody reads.
 *
 * @param optionsOf gives the options of the validator that is being compiled
 */
export function reporting(
  definition: CodeKeywordDefinition,
  optionsOf: () => FindingOptions,
): CodeKeywordDefinition {
  return {
    ...definition,
    code(context, ruleType) {
      context.error = (_append, parameters) => {
        if (parameters !== undefined) context.setParams(parameters);
        const { vErrors, errors } = names.default;
        context.gen.code(_`${vErrors} = ${findingsWith(context, optionsOf())}; ${errors}++`);
      };
      definition.code(context, ruleType);
    },
  };
}

/** The list of findings with one more. */
function findingsWith(context: KeywordCxt, options: FindingOptions): Code {
  const { it, def } = context;
  const { vErrors, instancePath } = names.default;
  if (it.createErrors === false) return _`${sharedFunction(context, "countIssue")}(${vErrors})`;
  const place = strConcat(instancePath, it.errorPath);
  const keyword = REPORTED_AS[context.keyword] ?? context.keyword;
  if (options.namesKeywordsOnly) {
    const { missingProperty } = context.params;
    const missing = keyword === "required" ? _`, ${missingProperty}` : _``;
    return _`${sharedFunction(context, "addKeyword")}(${vErrors}, ${place}, ${keyword}${missing})`;
  }
  const { message = `must pass ${keyword}`, params = _`{}` } = def.error ?? {};
  const text = typeof message === "function" ? message(context) : _`${message}`;
  const details = READ_PARAMETERS.has(keyword)
    ? _`, {keyword: ${keyword}, params: ${typeof params === "function" ? params(context) : params}}`
    : options.hasUnions && keyword === "type"
      ? _`, {keyword: ${keyword}}`
      : _``;
  return _`${sharedFunction(context, "addIssue")}(${vErrors}, ${place}, ${text}${details})`;
}
