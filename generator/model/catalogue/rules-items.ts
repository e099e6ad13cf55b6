import { defineDiagnostic } from "../catalogue-entry.js";
import { lineSeenFrom, type Place } from "../place.js";
import { argumentWord, didYouMean, namesAndMore } from "./message-parts.js";

/** Rules about tools, prompts and their texts. */

export const unknownPlaceholder = defineDiagnostic<{
  found: string;
  what: string;
  nearest?: string;
  /** The names that exist, if there are only a few. */
  known?: string;
  /** The variable of the environment that has this name. */
  variable?: string;
  /** The keys of an upstream that send the variable. */
  setting?: string;
}>({
  code: "MW2040",
  severity: "error",
  title: "unknown placeholder",
  explanation: {
    cause: "A text has `{{name}}`, and there is no argument of that name.",
    example:
      'prompts:\n  - name: p\n    description: x\n    arguments: [{name: who}]\n    messages: [{role: user, content: {type: text, text: "Hello {{you}}"}}]',
    fix: "Declare the argument, correct the name, or write `{{{{name}}` for the text {{name}}. In questions to users a name has letters, digits and underscores.",
  },
  message: ({ found, what, nearest }) =>
    `${what} has no ${argumentWord(what)} ${found}${didYouMean(nearest)}`,
  hint({ found, known, variable = variableIn(found), setting }) {
    if (setting !== undefined)
      return `a variable of the server stands under the upstream: ${setting}`;
    return variable === undefined
      ? `${known === undefined ? "" : `there is ${known}; `}a literal {{ is written {{{{`
      : `placeholders are what callers say: a variable of the server is { env: ${variable} }, as the value of a key that takes one`;
  },
});

/** The environment variable that the author probably meant with a placeholder such as `"env.HOME"`. */
function variableIn(found: string): string | undefined {
  return /^"\$?(?:process\.)?env[.:](\w+)"$/.exec(found)?.[1];
}

export const sectionUnclosed = defineDiagnostic<{ name: string }>({
  code: "MW2041",
  severity: "error",
  title: "section is not closed",
  explanation: {
    cause: "`{{#name}}` or `{{^name}}` opens a part of a text that no `{{/name}}` closes.",
    example:
      'prompts:\n  - name: p\n    description: x\n    arguments: [{name: who}]\n    messages: [{role: user, content: {type: text, text: "Go{{#who}}, {{who}}"}}]',
    fix: "Close the part with `{{/name}}`.",
  },
  message: ({ name }) => `this part is not closed: {{/${name}}} is missing`,
});

export const sectionNotOpen = defineDiagnostic<{
  name: string;
  /** The argument, if the section begins in the notation of other formats. */
  argument?: string;
}>({
  code: "MW2042",
  severity: "error",
  title: "section is not open",
  explanation: {
    cause: "`{{/name}}` closes nothing, or another part than the one opened last.",
    example:
      'prompts:\n  - name: p\n    description: x\n    arguments: [{name: who}]\n    messages: [{role: user, content: {type: text, text: "Go{{/who}}"}}]',
    fix: "Close parts in the reverse order in which they were opened.",
  },
  message: ({ name }) => `{{/${name}}} does not close the part that was opened last`,
  hint: ({ argument }) =>
    argument === undefined
      ? undefined
      : `a part that depends on "${argument}" is {{#${argument}}}…{{/${argument}}}`,
});

export const sectionsTooDeep = defineDiagnostic({
  code: "MW2043",
  severity: "error",
  title: "sections nested too deep",
  explanation: {
    cause: "Parts of a text are nested more than 16 levels deep.",
    example: "Seventeen times `{{#a}}` without a `{{/a}}` between them.",
    fix: "Flatten the text, or write the prompt's handler in code.",
  },
  message: () => "parts of this text are nested more than 16 levels deep",
});

export const nearPlaceholder = defineDiagnostic<{ found: string; name: string }>({
  code: "MW2309",
  severity: "warning",
  title: "almost a placeholder",
  explanation: {
    cause:
      "Placeholders have two braces on each side and no spaces inside them; with one brace, with a dollar sign or with spaces they are plain text, as `:name` and `<name>` are in a path.",
    example:
      'prompts:\n  - name: p\n    description: x\n    arguments: [{name: who}]\n    messages: [{role: user, content: {type: text, text: "Hello {{ who }}"}}]',
    fix: "Write `{{who}}`; if the text is meant, leave it and switch the warning off.",
  },
  message: ({ found, name }) => `${found} is plain text; for the argument, write {{${name}}}`,
});

export const unusedArgument = defineDiagnostic<{ name: string }>({
  code: "MW2311",
  severity: "warning",
  title: "unused prompt argument",
  explanation: {
    cause: "A prompt asks for an argument that none of its messages shows or depends on.",
    example:
      "prompts:\n  - name: p\n    description: x\n    arguments: [{name: who}]\n    messages: [{role: user, content: {type: text, text: Hello}}]",
    fix: "Write `{{who}}` where the value goes, or `{{#who}}…{{/who}}` around what depends on it; or remove the argument.",
  },
  message: ({ name }) =>
    `no message has the argument "${name}"; show it with {{${name}}}, or where it is given with {{#${name}}}…{{/${name}}}`,
});

export const missingDescription = defineDiagnostic<{ what: string }>({
  code: "MW2302",
  severity: "warning",
  title: "missing description",
  explanation: {
    cause: "An item has no description, so that models and people must guess from its name.",
    example: "resources: [{uri: weather://help, name: help}]",
    fix: "Add a `description`.",
  },
  message: ({ what }) => `${what} has no description`,
});

export const sameDescription = defineDiagnostic<{ name: string; other: string; first: Place }>({
  code: "MW2303",
  severity: "warning",
  title: "two tools with one description",
  explanation: {
    cause: "Two tools have the same description, so that models cannot tell when to use which.",
    example: "tools: [{name: a, description: Searches}, {name: b, description: Searches}]",
    fix: "Say in each what sets it apart.",
  },
  message: ({ name, other, first }, place) =>
    `${name} has the same description as ${other} on ${lineSeenFrom(place, first)}`,
});

export const toolBudget = defineDiagnostic<{ found: number; budget: number }>({
  code: "MW2304",
  severity: "warning",
  title: "many tools",
  explanation: {
    cause:
      "A server lists more tools than the budget (40 by default); models choose worse among many.",
    example:
      "diagnostics: {toolBudget: 1}\ntools: [{name: a, description: x}, {name: b, description: y}]",
    fix: "Merge tools or split the server; let clients search for tools with `exposure: search`; or raise `toolBudget` under `diagnostics` (0 is none).",
  },
  message: ({ found, budget }) => `there are ${found} tools, more than the budget of ${budget}`,
});

export const dottedNames = defineDiagnostic<{
  found: number;
  named: readonly string[];
  refusing: string;
  rewriting: string;
}>({
  code: "MW2320",
  severity: "warning",
  title: "tool names with a dot, which clients refuse",
  explanation: {
    cause:
      "The protocol allows dots in the names of tools, and the APIs of models do not: clients refuse the list of tools, have their request refused with all of its tools, or show the model another name.",
    example: "tools: [{name: catalog.list, description: Lists the catalogue.}]",
    fix: "Write an underscore, with the old name in `aliases` and `renamedFrom` where clients call it: `name: catalog_list`.",
  },
  message: ({ found, named, refusing, rewriting }) =>
    `${found === 1 ? "one tool name has a dot" : `${found} tool names have a dot`}, which ${refusing} refuse and ${rewriting} rewrites: ${namesAndMore(named, found)}`,
  hint: () => "write an underscore; `aliases` keeps an old name for those who call it",
});

export const refusedPropertyNames = defineDiagnostic<{
  found: number;
  named: readonly string[];
  refusing: string;
  rewriting: string;
}>({
  code: "MW2321",
  severity: "warning",
  title: "property names that model APIs refuse",
  explanation: {
    cause:
      "A property at the root of an inputSchema has a name that the APIs of models do not take: it has characters other than A-Z, a-z, 0-9, `_`, `.` and `-`, or more than 64. They refuse the request with all of its tools.",
    example:
      'tools: [{name: a, description: x, inputSchema: {type: object, properties: {"uids[]": {type: array, items: {type: string}, description: x}}, additionalProperties: false}}]',
    fix: 'Give the property a plain name. In an `http` body, the request can have another one: `query: { "uids[]": "{{uids}}" }`.',
  },
  message: ({ found, named, refusing, rewriting }) =>
    `${refusing} refuse ${found === 1 ? "a property name" : `${found} property names`} of this tool, and ${rewriting} rewrites them: ${namesAndMore(named, found)}`,
  hint: () => 'allowed are A-Z, a-z, 0-9, "_", "." and "-", up to 64 characters',
});

export const longDescription = defineDiagnostic<{
  found: number;
  named: readonly string[];
  limit: number;
  clients: string;
}>({
  code: "MW2317",
  severity: "warning",
  title: "descriptions longer than clients take",
  explanation: {
    cause:
      "The description of a tool is longer than the API of a model takes, which then refuses the request with all of its tools.",
    example: `tools:\n  - name: a\n    description: ${"Much is said of it. ".repeat(52).trim()}`,
    fix: "Shorten the description: what is said of an argument may stand in the description of its property, which has no such limit.",
  },
  message: ({ found, named, limit, clients }) => {
    const what = found === 1 ? "one description is" : `${found} descriptions are`;
    return `${what} longer than the ${limit} characters that ${clients} takes: ${namesAndMore(named, found)}`;
  },
  hint: () => "what is said of an argument may stand in the description of its property",
});

export const openInputs = defineDiagnostic<{ found: number; named: readonly string[] }>({
  code: "MW2314",
  severity: "warning",
  title: "open inputs",
  explanation: {
    cause:
      "An inputSchema, or an object within it, describes its properties without saying whether there may be others. JSON Schema then takes any: a misspelt argument passes unseen, its default stands in for it, and handlers can read names that do not exist.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema: {type: object, properties: {city: {type: string}}}",
    fix: "Add `additionalProperties: false` to each object that the message names (`unevaluatedProperties: false` where an `allOf` describes it). Where any property is welcome, say `additionalProperties: true`, or give the schema of its value.",
  },
  message: ({ found, named }) => {
    const what = found === 1 ? "one object in inputs takes" : `${found} objects in inputs take`;
    return `${what} properties that are not described, so that a misspelt argument passes: ${namesAndMore(named, found)}`;
  },
  hint: () => "add `additionalProperties: false`, or `true` where any property is welcome",
});

export const executionDropped = defineDiagnostic({
  code: "MW2308",
  severity: "warning",
  title: "execution is dropped",
  explanation: {
    cause: "`execution` was removed from the protocol in 2026-07-28; it is accepted and not sent.",
    example: "tools:\n  - name: a\n    description: x\n    execution: {taskSupport: optional}",
    fix: "Remove the key.",
  },
  message: () => "execution was removed from the protocol and is dropped",
});

export const unusedSchema = defineDiagnostic<{ name: string }>({
  code: "MW2301",
  severity: "warning",
  title: "unused shared schema",
  explanation: {
    cause: "No schema of a tool refers to this shared schema, directly or through another one.",
    example: "schemas: {City: {type: string}}",
    fix: 'Refer to it with `$ref: "#/schemas/City"`, or remove it.',
  },
  message: ({ name }) => `the shared schema ${name} is not used`,
});

export const malformedScope = defineDiagnostic<{ scope: string; problem: string }>({
  code: "MW2044",
  severity: "error",
  title: "malformed scope",
  explanation: {
    cause:
      "OAuth writes scopes into one text, with spaces between them: a scope itself has no spaces, no quotation marks, no backslashes and no characters beyond ASCII. `offline_access` belongs to clients alone.",
    example: "tools: [{name: a, description: Does a., scopes: [read write]}]",
    fix: "Write each scope as an item of the list: `scopes: [read, write]`.",
  },
  message: ({ scope, problem }) => `the scope ${scope} ${problem}`,
});
