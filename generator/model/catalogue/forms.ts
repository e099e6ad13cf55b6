import { defineDiagnostic } from "../catalogue-entry.js";
import { didYouMean } from "./message-parts.js";

/** Rules about forms that handlers show to users: `requestedSchema` of an elicitation. */

/** An example manifest with one elicitation. */
const questionWith = (form: string): string =>
  `tools:\n  - name: a\n    description: x\n    elicitations:\n      ask:\n        message: Which one?\n        requestedSchema: ${form}`;

export const formRoot = defineDiagnostic<{ found: string }>({
  code: "MW3070",
  severity: "error",
  title: "form is not an object of fields",
  explanation: {
    cause:
      "A client shows `requestedSchema` as a form. The protocol allows one object there: `type: object`, its fields under `properties`, and `required`.",
    example: questionWith("{type: string}"),
    fix: "Make the value a field: `requestedSchema: {type: object, properties: {city: {type: string}}}`.",
  },
  message: ({ found }) =>
    `a form must be a schema with type: object and its fields under "properties", not ${found}`,
});

export const formField = defineDiagnostic<{ found: string; advice?: string }>({
  code: "MW3071",
  severity: "error",
  title: "field that no form can show",
  explanation: {
    cause:
      "The fields of a form are flat: a string, a number, an integer, a boolean, one choice (`type: string` with `enum` or `oneOf`), or several (`type: array` with a list of choices under `items`). Clients refuse objects, other lists, references and fields without a type.",
    example: questionWith(
      "{type: object, properties: {place: {type: object, properties: {city: {type: string}}}}}",
    ),
    fix: "Ask for the parts of a value as fields of their own.",
  },
  message: ({ found }) =>
    `a field of a form must have type: string, number, integer, boolean, or array for several choices, not ${found}`,
  hint: ({ advice }) => advice,
});

export const formKeyword = defineDiagnostic<{
  keyword: string;
  what: string;
  allowed: readonly string[];
  advice?: string;
}>({
  code: "MW3072",
  severity: "error",
  title: "keyword that forms do not have",
  explanation: {
    cause:
      "Forms know only few keywords of JSON Schema. Clients drop any other one, so that users could send what the schema refuses.",
    example: questionWith(
      '{type: object, properties: {code: {type: string, pattern: "^[A-Z]+$"}}}',
    ),
    fix: "Use a keyword that the message lists, and check the answer in the handler.",
  },
  message: ({ keyword, what, allowed }) =>
    `"${keyword}" has no meaning in ${what}; it can have ${allowed.join(", ")}`,
  hint: ({ advice }) => advice,
});

export const formFormat = defineDiagnostic<{ found: string; nearest?: string }>({
  code: "MW3073",
  severity: "error",
  title: "format that forms do not have",
  explanation: {
    cause:
      "The formats of a form's text are email, uri, date and date-time; clients refuse others.",
    example: questionWith("{type: object, properties: {id: {type: string, format: uuid}}}"),
    fix: "Use one of the four, or leave `format` out and check the answer in the handler.",
  },
  message: ({ found, nearest }) =>
    `the format in a form must be email, uri, date or date-time, not ${found}${didYouMean(nearest)}`,
});

export const formChoices = defineDiagnostic<{ expected: string; found: string }>({
  code: "MW3074",
  severity: "error",
  title: "malformed choices of a form",
  explanation: {
    cause:
      "Choices are a list of texts under `enum`, or a list of `{const, title}` under `oneOf` (one choice) or under `items.anyOf` (several); `enumNames` has a name for each value of `enum`.",
    example: questionWith(
      "{type: object, properties: {size: {type: string, oneOf: [{const: s}]}}}",
    ),
    fix: "Give each choice its value and, with `oneOf` or `anyOf`, its title: `{const: s, title: Small}`.",
  },
  message: ({ expected, found }) => `${expected}, not ${found}`,
});

export const formRequired = defineDiagnostic<{ name: string; nearest?: string }>({
  code: "MW3075",
  severity: "error",
  title: "required field that the form lacks",
  explanation: {
    cause:
      "`required` names a field that does not stand under `properties`: nobody could fill it in.",
    example: questionWith("{type: object, properties: {city: {type: string}}, required: [town]}"),
    fix: "Correct the name, or add the field.",
  },
  message: ({ name, nearest }) => `the form has no field ${name}${didYouMean(nearest)}`,
});

export const formChoiceCount = defineDiagnostic<{ least: number; choices: number }>({
  code: "MW3076",
  severity: "error",
  title: "more choices asked for than there are",
  explanation: {
    cause: "`minItems` asks for more choices than the list has, so that no answer fits.",
    example: questionWith(
      "{type: object, properties: {days: {type: array, minItems: 3, items: {type: string, enum: [sat, sun]}}}}",
    ),
    fix: "Lower `minItems`, or add choices.",
  },
  message: ({ least, choices }) =>
    `no answer can have ${least} of ${choices} choice${choices === 1 ? "" : "s"}`,
});
