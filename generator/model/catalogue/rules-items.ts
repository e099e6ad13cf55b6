import { defineDiagnostic } from "../catalogue-entry.js";
import type { ItemCost } from "../list-cost.js";
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
}>({
  code: "MW2040",
  message: ({ found, what, nearest }) =>
    `${what} has no ${argumentWord(what)} ${found}${didYouMean(nearest)}`,
  hint({ found, known, variable = variableIn(found) }) {
    const [, claim] = /^"caller\.claims\.(.+)"$/.exec(found) ?? [];
    if (claim !== undefined)
      return `a claim of the caller must be declared: auth: { claims: { ${claim}: string } }`;
    return variable === undefined
      ? `${known === undefined ? "" : `there is ${known}; `}a literal {{ is written {{{{`
      : `placeholders are what callers say: a variable of the server is { env: ${variable} }, as the value of a key that takes one`;
  },
  mend: ({ found, nearest }) =>
    nearest === undefined
      ? undefined
      : { edit: "replace part", from: found.slice(1, -1), to: nearest, ifOnly: true },
});

/** The environment variable that the author probably meant with a placeholder such as `"env.HOME"`, as VS Code has it. */
function variableIn(found: string): string | undefined {
  return /^"\$?(?:process\.)?env[.:](\w+)"$/.exec(found)?.[1];
}

export const sectionUnclosed = defineDiagnostic<{ name: string }>({
  code: "MW2041",
  message: ({ name }) => `this part is not closed: {{/${name}}} is missing`,
});

export const sectionNotOpen = defineDiagnostic<{ name: string }>({
  code: "MW2042",
  message: ({ name }) => `{{/${name}}} does not close the part that was opened last`,
  // Handlebars, as a trial of coding agents wrote it
  hint: ({ name }) =>
    /^(?:if|unless|each|with)$/.test(name)
      ? "write {{#name}}…{{/name}} for what is there with the argument, {{^name}}…{{/name}} for what is there without it"
      : undefined,
});

export const sectionsTooDeep = defineDiagnostic({
  code: "MW2043",
  message: () => "parts of this text are nested more than 16 levels deep",
});

export const nearPlaceholder = defineDiagnostic<{ found: string; name: string }>({
  code: "MW2309",
  severity: "warning",
  message: ({ found, name }) => `${found} is plain text; for the argument, write {{${name}}}`,
});

export const unusedArgument = defineDiagnostic<{ name: string }>({
  code: "MW2311",
  severity: "warning",
  message: ({ name }) =>
    `no message has the argument "${name}"; show it with {{${name}}}, or where it is given with {{#${name}}}…{{/${name}}}`,
});

export const missingDescription = defineDiagnostic<{ what: string }>({
  code: "MW2302",
  severity: "warning",
  message: ({ what }) => `${what} has no description`,
});

export const sameDescription = defineDiagnostic<{ name: string; other: string; first: Place }>({
  code: "MW2303",
  severity: "warning",
  message: ({ name, other, first }, place) =>
    `${name} has the same description as ${other} on ${lineSeenFrom(place, first)}`,
});

export const toolBudget = defineDiagnostic<{ found: number; budget: number }>({
  code: "MW2304",
  severity: "warning",
  message: ({ found, budget }) => `there are ${found} tools, more than the budget of ${budget}`,
});

/** What makes a member of a listed item smaller. */
const SMALLER: Readonly<Record<string, string>> = {
  description: "say in one or two sentences what it does and when to use it",
  inputSchema: "leave out arguments that nobody needs, and shorten their descriptions",
  outputSchema: "select the members that a model needs, with `select` or `fields`, or declare less",
  _meta: "keep what no client reads out of it",
  icons: "refer to them by URL in place of data",
};

export const tokenBudget = defineDiagnostic<{
  found: number;
  budget: number;
  /** The costliest items, with their names in quotes. */
  costliest: readonly ItemCost[];
}>({
  code: "MW2322",
  severity: "warning",
  message: ({ found, budget, costliest }) =>
    `the lists take ${found} tokens, more than the budget of ${budget}; the costliest: ${costliest.map(({ name, tokens }) => `${name} (${tokens})`).join(", ")}`,
  hint: ({ costliest }) =>
    costliest
      .map(({ name, costliest: { member, tokens } }) => {
        const advice = Object.hasOwn(SMALLER, member) ? `: ${SMALLER[member]}` : "";
        return `${name} has ${tokens} in \`${member}\`${advice}`;
      })
      .join("; "),
});

export const intentMissed = defineDiagnostic<{
  intent: string;
  name: string;
  /** The tool that is found first. Absent if none is found. */
  sibling?: string;
  /** Words of the intent that both tools have. */
  shared?: readonly string[];
  /** Words of the intent that only the sibling has. */
  onlySibling?: readonly string[];
}>({
  code: "MW2323",
  message({ intent, name, sibling, shared = [], onlySibling = [] }) {
    if (sibling === undefined) return `no tool is found for ${intent}, which is for ${name}`;
    const words = [
      ...(shared.length > 0 ? [`both have ${shared.join(", ")}`] : []),
      ...(onlySibling.length > 0 ? [`only ${sibling} has ${onlySibling.join(", ")}`] : []),
    ].join("; ");
    return `${sibling} is found before ${name} for ${intent}${words === "" ? "" : `: ${words}`}`;
  },
  hint: ({ name }) =>
    `say in the name, the title or the description of ${name}, in the words of the intent, what only this tool does`,
});

export const dottedNames = defineDiagnostic<{
  found: number;
  named: readonly string[];
  refusing: string;
  rewriting: string;
}>({
  code: "MW2320",
  severity: "warning",
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
  message: ({ found, named, limit, clients }) => {
    const what = found === 1 ? "one description is" : `${found} descriptions are`;
    return `${what} longer than the ${limit} characters that ${clients} takes: ${namesAndMore(named, found)}`;
  },
  hint: () => "what is said of an argument may stand in the description of its property",
});

export const openInputs = defineDiagnostic<{ found: number; named: readonly string[] }>({
  code: "MW2314",
  severity: "warning",
  message: ({ found, named }) => {
    const what = found === 1 ? "one object in inputs takes" : `${found} objects in inputs take`;
    return `${what} properties that are not described, so that a misspelt argument passes: ${namesAndMore(named, found)}`;
  },
  hint: () => "add `additionalProperties: false`, or `true` where any property is welcome",
});

export const executionDropped = defineDiagnostic({
  code: "MW2308",
  severity: "warning",
  message: () => "execution was removed from the protocol and is dropped",
});

export const unusedSchema = defineDiagnostic<{ name: string }>({
  code: "MW2301",
  severity: "warning",
  message: ({ name }) => `the shared schema ${name} is not used`,
});

export const malformedScope = defineDiagnostic<{ scope: string; problem: string }>({
  code: "MW2044",
  message: ({ scope, problem }) => `the scope ${scope} ${problem}`,
});

export const textOfResult = defineDiagnostic<{ problem: string; advice: string }>({
  code: "MW3065",
  message: ({ problem }) => problem,
  hint: ({ advice }) => advice,
});
