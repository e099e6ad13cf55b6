import type { Mend } from "../mend.js";

/** Parts of messages that several diagnostics share. */

/** The word for what a placeholder or a parameter refers to: templates have variables, other items have arguments. */
export function argumentWord(subject: string): "argument" | "variable" {
  return subject === "the template" ? "variable" : "argument";
}

/** A question at the end of a message, empty if there is no near name. */
export function didYouMean(nearest: string | undefined): string {
  return nearest === undefined ? "" : `; did you mean "${nearest}"?`;
}

/** A question at the end of a message that offers several names, empty if there is none. */
export function didYouMeanOne(nearest: readonly string[]): string {
  const names = nearest.map((name) => `"${name}"`);
  return names.length === 0 ? "" : `; did you mean ${eitherOf(names)}?`;
}

/** Alternatives in words: `a, b or c`. */
export function eitherOf(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} or ${last}`;
}

/** A list for a message that names only some of `count` names: `a, b and 3 more`. */
export function namesAndMore(names: readonly string[], count: number): string {
  const more = count > names.length ? ` and ${count - names.length} more` : "";
  return `${names.join(", ")}${more}`;
}

/** The variable of the environment that an author meant with a text. */
export interface MeantVariable {
  /** One that the manifest declares. */
  readonly variable?: string;
  /** One that it does not declare, in the notation of another format. */
  readonly undeclared?: string;
  /** Whether `undeclared` stands behind `Bearer`, as in the settings of MCP clients. */
  readonly isBearer?: boolean;
}

/** The hint that a variable's value is meant. Undefined without a variable. */
export function referenceTo(meant: MeantVariable): string | undefined {
  const { variable, undeclared, isBearer } = meant;
  if (variable !== undefined) return `the value of the variable is { env: ${variable} }`;
  if (undeclared === undefined) return undefined;
  return isBearer === true
    ? `write auth: { bearer: { env: ${undeclared} } }, and declare ${undeclared} under env`
    : `a variable of the server is { env: ${undeclared} }, which env must declare`;
}

/** The reference to a variable of which only the name was written, in a notation of another format: `${TOKEN}`. */
export function mendOfReference(parameters: {
  readonly found: string;
  readonly variable?: string;
}): Mend | undefined {
  const { found, variable } = parameters;
  const name = found.replace(/^"|"$/g, "").replace(/[${}\s]/g, "");
  const isAlone = variable !== undefined && name.replace(NAMESPACE, "") === variable;
  return isAlone ? { edit: "put into mapping", key: "env", value: variable } : undefined;
}

/** What code for Node.js, VS Code's settings and GitHub's workflows have before the name of a variable. */
const NAMESPACE = /^(?:process\.)?env[.:]|^secrets\./;

/** The name that was meant in place of one that exists nowhere, if no other name is as near. */
export function mendOfName({ nearest }: { readonly nearest?: string }): Mend | undefined {
  return nearest === undefined ? undefined : { edit: "set text", to: nearest, ifOnly: true };
}
