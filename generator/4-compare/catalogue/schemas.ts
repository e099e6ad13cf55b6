import { defineRule, type RuleMaker } from "../rule.js";
import { jsonExcerpt } from "../wording.js";
import type { JsonValue } from "../../model/json.js";
import type { SemanticSeverity } from "../../model/plan.js";

/** A rule about schemas. Its message comes from what the comparison of the two schemas found. */
export type SchemaRule = RuleMaker<{ readonly message: string }>;

interface SchemaRuleText {
  readonly title: string;
  readonly cause: string;
  /** The old schema of the example, as YAML. */
  readonly before: string;
  /** The new schema of the example, as YAML. */
  readonly after: string;
  /** What to do, if it is not what `FIXES` has for the severity. */
  readonly fix?: string;
}

const FIXES: Readonly<Record<SemanticSeverity, string>> = {
  breaking: "Take the change back, or release a new major version.",
  warning: "Check that it is meant.",
  info: "Nothing.",
};

function schemaRule(
  role: "input" | "output",
  id: string,
  severity: SemanticSeverity,
  { title, cause, before, after, fix }: SchemaRuleText,
): SchemaRule {
  const tool = (schema: string): string =>
    `tools: [{name: a, description: Does a., ${role}Schema: ${schema}}]`;
  return defineRule<{ message: string }>({
    id,
    severity,
    title,
    explanation: {
      cause,
      example: { before: tool(before), after: tool(after) },
      fix: fix ?? FIXES[severity],
    },
    message: ({ message }) => message,
  });
}

/** A schema of objects with the property `days`. */
const object = (days: string, more = ""): string =>
  `{type: object, properties: {days: ${days}}${more}}`;

const CLOSED = ", additionalProperties: false";
const NO_DAYS = "{type: object}";
const NO_DAYS_CLOSED = "{type: object, additionalProperties: false}";

export const inputPropertyNewlyRequired = schemaRule(
  "input",
  "input-property-newly-required",
  "breaking",
  {
    title: "an argument must be given that could be left out",
    cause: "Calls without the argument were accepted and are refused now.",
    before: object("{type: integer}"),
    after: object("{type: integer}", ", required: [days]"),
    fix: "Give it a `default` and leave it optional, or release a new major version.",
  },
);

export const inputPropertyRemoved = schemaRule("input", "input-property-removed", "breaking", {
  title: "an argument is refused that was accepted",
  cause:
    "The property is gone, and the schema refuses properties that it does not describe: calls that give it fail.",
  before: object("{type: integer}", CLOSED),
  after: NO_DAYS_CLOSED,
  fix: "Keep describing the property and ignore it in the handler, or release a new major version.",
});

export const inputPropertyIgnored = schemaRule("input", "input-property-ignored", "warning", {
  title: "an argument is no longer described",
  cause:
    "The property is gone. Calls that give it are still accepted, since the schema lets other properties pass, but it probably means nothing.",
  before: object("{type: integer}"),
  after: NO_DAYS,
});

export const inputPropertyAdded = schemaRule("input", "input-property-added", "info", {
  title: "a tool takes one more argument",
  cause:
    "The schema describes a property that it did not describe before, and calls may leave it out.",
  before: NO_DAYS,
  after: object("{type: integer}"),
});

export const inputTypeNarrowed = schemaRule("input", "input-type-narrowed", "breaking", {
  title: "arguments of a type are refused that were accepted",
  cause: "The schema allows fewer types of value than before.",
  before: object("{type: [integer, 'null']}"),
  after: object("{type: integer}"),
});

export const inputEnumNarrowed = schemaRule("input", "input-enum-narrowed", "breaking", {
  title: "a value is refused that was accepted",
  cause: "Values left an `enum`, or an `enum` or `const` is new.",
  before: object("{enum: [1, 7, 14]}"),
  after: object("{enum: [1, 7]}"),
});

export const inputRangeNarrowed = schemaRule("input", "input-range-narrowed", "breaking", {
  title: "a limit on arguments is stricter",
  cause:
    "A limit on numbers, lengths or counts refuses what was accepted: `minimum`, `maxLength`, `multipleOf`, `uniqueItems` and their like.",
  before: object("{type: integer, maximum: 14}"),
  after: object("{type: integer, maximum: 7}"),
});

export const inputPatternNarrowed = schemaRule("input", "input-pattern-narrowed", "breaking", {
  title: "a text is refused that was accepted",
  cause: "A `pattern` or `format` is new or stricter.",
  before: object("{type: string}"),
  after: object("{type: string, format: date}"),
});

export const inputObjectClosed = schemaRule("input", "input-object-closed", "breaking", {
  title: "other properties are refused that were accepted",
  cause:
    "The schema let properties pass that it does not describe, and now refuses them, or some of them.",
  before: object("{type: integer}"),
  after: object("{type: integer}", CLOSED),
});

export const inputValuesRefused = schemaRule("input", "input-values-refused", "breaking", {
  title: "arguments are refused that were accepted",
  cause:
    "A keyword such as `not`, `oneOf` or `if` refuses what was accepted. The message has a value that shows it.",
  before: object("{type: integer}", ", not: {required: [a]}"),
  after: object("{type: integer}", ", not: {required: [b]}"),
});

export const inputWidened = schemaRule("input", "input-widened", "info", {
  title: "arguments are accepted that were refused",
  cause: "A type, an `enum`, a limit or a required property of the schema was relaxed.",
  before: object("{type: integer, maximum: 7}"),
  after: object("{type: integer, maximum: 14}"),
});

export const outputPropertyRemoved = schemaRule("output", "output-property-removed", "breaking", {
  title: "a result no longer has a property",
  cause: "Callers that read the property find nothing, or something else.",
  before: object("{type: integer}"),
  after: NO_DAYS,
});

export const outputPropertyOptional = schemaRule("output", "output-property-optional", "breaking", {
  title: "a result may lack a property that it always had",
  cause: "The property is no longer required. Callers that count on it fail where it is absent.",
  before: object("{type: integer}", ", required: [days]"),
  after: object("{type: integer}"),
});

export const outputPropertyAdded = schemaRule("output", "output-property-added", "info", {
  title: "a result has one more property",
  cause:
    "The schema describes a property that it did not describe before, where other properties were allowed.",
  before: NO_DAYS,
  after: object("{type: integer}"),
});

export const outputObjectExtended = schemaRule("output", "output-object-extended", "breaking", {
  title: "a result has a property that its schema had ruled out",
  cause:
    "The old schema allows no properties that it does not describe: callers that validate results against it refuse the new one.",
  before: NO_DAYS_CLOSED,
  after: object("{type: integer}", CLOSED),
  fix: "Release a new major version. A schema without `additionalProperties: false` can gain properties freely.",
});

export const outputTypeWidened = schemaRule("output", "output-type-widened", "breaking", {
  title: "results may have a type that they never had",
  cause: "The schema allows more types of value than before, and callers may not expect them.",
  before: object("{type: integer}"),
  after: object("{type: [integer, 'null']}"),
});

export const outputEnumWidened = schemaRule("output", "output-enum-widened", "breaking", {
  title: "results may have a value that they never had",
  cause: "An `enum` gained values, or is gone. Callers that handle each value miss the new ones.",
  before: object("{enum: [1, 7]}"),
  after: object("{enum: [1, 7, 14]}"),
});

export const outputRangeWidened = schemaRule("output", "output-range-widened", "breaking", {
  title: "a limit on results was relaxed",
  cause: "Numbers, lengths or counts may be past the limit that callers were promised.",
  before: object("{type: integer, maximum: 7}"),
  after: object("{type: integer, maximum: 14}"),
});

export const outputPatternWidened = schemaRule("output", "output-pattern-widened", "breaking", {
  title: "texts in results may have another form",
  cause: "A `pattern` or `format` that callers were promised is gone or another.",
  before: object("{type: string, format: date}"),
  after: object("{type: string}"),
});

export const outputObjectOpened = schemaRule("output", "output-object-opened", "breaking", {
  title: "results may have properties that their schema had ruled out",
  cause:
    "The old schema allows no properties that it does not describe, or only some; the new one allows more.",
  before: object("{type: integer}", CLOSED),
  after: object("{type: integer}"),
});

export const outputValuesNew = schemaRule("output", "output-values-new", "breaking", {
  title: "results may have values that their schema had ruled out",
  cause:
    "A keyword such as `not`, `oneOf` or `if` lets pass what it refused. The message has a value that shows it.",
  before: object("{type: integer}", ", not: {required: [a]}"),
  after: object("{type: integer}", ", not: {required: [b]}"),
});

export const outputNarrowed = schemaRule("output", "output-narrowed", "info", {
  title: "results are promised more exactly",
  cause: "A type, an `enum`, a limit or a required property of the schema became stricter.",
  before: object("{type: [integer, 'null']}"),
  after: object("{type: integer}"),
});

export const schemaChangeUnknown = schemaRule("input", "schema-change-unknown", "warning", {
  title: "a schema changed in a way that was not understood",
  cause:
    "Whether a schema still accepts, or promises, what it did cannot be decided in general. This one changed in a keyword such as `not`, `oneOf` or `if`, or is very large, and no value was found that shows a difference.",
  before: object("{type: integer}", ", not: {required: [a, b]}"),
  after: object("{type: integer}", ", not: {allOf: [{required: [a]}, {required: [b]}]}"),
  fix: "Compare the two schemas yourself, and raise the version accordingly.",
});

export const defaultChanged = defineRule<{
  before: JsonValue | undefined;
  after: JsonValue | undefined;
}>({
  id: "default-changed",
  severity: "warning",
  title: "a default changed",
  explanation: {
    cause: "Calls that leave the argument out get another result than before.",
    example: {
      before:
        "tools: [{name: a, description: Does a., inputSchema: {type: object, properties: {days: {type: integer, default: 3}}}}]",
      after:
        "tools: [{name: a, description: Does a., inputSchema: {type: object, properties: {days: {type: integer, default: 7}}}}]",
    },
    fix: FIXES.warning,
  },
  message: ({ before, after }) => {
    if (before === undefined) {
      return `the default is ${jsonExcerpt(after ?? null)} now, there was none`;
    }
    if (after === undefined) return `the default was ${jsonExcerpt(before)}, there is none now`;
    return `the default was ${jsonExcerpt(before)}, is ${jsonExcerpt(after)}`;
  },
});
