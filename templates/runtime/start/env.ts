import { printable } from "../engine/printable.js";
import type { Logger } from "../observe/log.js";
import type { ServerDefinition } from "../engine/definition.js";
import {
  defaultLimits,
  limitNames,
  limitVariable,
  unmetLimit,
  type LimitName,
  type SetLimits,
} from "../engine/limits.js";
import { urlOfVariable } from "../engine/variable-url.js";

/** The texts of environment variables by their names, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** An environment variable of the server. */
export interface EnvVariable {
  /** The name of the variable. */
  readonly name: string;
  /** What its text is converted to. A `boolean` is written `true`, `false`, `1` or `0`. */
  readonly type: "string" | "number" | "boolean" | "url";
  /** Whether the server refuses to start without a value. */
  readonly required: boolean;
  /** Whether its value is kept out of the log and of messages. */
  readonly secret: boolean;
  /** The value if the variable is not set. */
  readonly default?: string | number | boolean;
  /** The only values that it may have. */
  readonly enum?: readonly (string | number)[];
  /** Whether it is used only over the network, so that a process that serves stdio alone may start without a value. */
  readonly network?: boolean;
}

type EnvValue = string | number | boolean | URL;

/**
 * Returns the checked values of the server's variables, or undefined if a variable is missing or wrong. In mock
 * mode such a variable gets a placeholder, so that services get values of the declared types.
 *
 * @param hasNetwork whether the process serves over the network
 */
export function checkEnvironment(
  definition: ServerDefinition,
  isMock: boolean,
  log: Logger,
  environment: Environment,
  hasNetwork = true,
): object | undefined {
  const { limits } = definition;
  const variables = definition.env.map((variable) =>
    variable.network === true && !hasNetwork ? { ...variable, required: false } : variable,
  );
  const reading = readEnvironment(variables, environment, limits);
  if (reading.ok) return reading.env;
  for (const problem of reading.problems) {
    if (isMock) log.warning(`${problem}; a placeholder stands in for it`);
    else log.error(problem);
  }
  return isMock ? withPlaceholders(variables, reading.env, limits) : undefined;
}

/** The checked values, or a sentence for each problem of the environment. */
export type EnvironmentReading =
  | { readonly ok: true; readonly env: Readonly<Record<string, EnvValue>> }
  | {
      readonly ok: false;
      readonly problems: readonly string[];
      /** The values of the variables that have no problem. */
      readonly env: Readonly<Record<string, EnvValue>>;
    };

/**
 * Reads the variables that the manifest declares. An empty value counts as absent, since many shells and
 * container settings cannot unset a variable, and so does the placeholder of a bundle (`.mcpb`) that its client has
 * not filled in. No problem text contains the value of a secret.
 * @param limits The limits of the manifest. A variable that sets one of them must have a value that the limit may have.
 */
export function readEnvironment(
  variables: readonly EnvVariable[],
  environment: Environment,
  limits: SetLimits = {},
): EnvironmentReading {
  const values: [string, EnvValue][] = [];
  const problems: string[] = [];
  for (const variable of variables) {
    const { name } = variable;
    const text = Object.hasOwn(environment, name) ? environment[name] : undefined;
    const isAbsent = text === undefined || text === "" || text === `\${user_config.${name}}`;
    const setValue = isAbsent ? variable.default : text;
    if (setValue === undefined) {
      if (variable.required) problems.push(`${name} is required`);
      continue;
    }
    const value = convert(String(setValue), variable.type);
    const expected =
      value === undefined
        ? typeNames[variable.type]
        : (unmetChoice(variable, value) ?? unmetLimits(variable, value, limits));
    if (value !== undefined && expected === undefined) values.push([name, value]);
    else problems.push(describeProblem(variable, String(setValue), expected ?? ""));
  }
  const env = Object.freeze(Object.fromEntries(values));
  return problems.length === 0 ? { ok: true, env } : { ok: false, problems, env };
}

/**
 * Adds a made-up value for each variable without one that is required or has a default. A variable that sets a limit
 * gets the default of that limit.
 */
export function withPlaceholders(
  variables: readonly EnvVariable[],
  env: Readonly<Record<string, EnvValue>>,
  limits: SetLimits = {},
): Readonly<Record<string, EnvValue>> {
  const values = { ...env };
  for (const variable of variables) {
    const { name, type, required, default: defaultValue } = variable;
    if (Object.hasOwn(env, name) || !(required || defaultValue !== undefined)) continue;
    const [limit] = limitsSetBy(name, limits);
    const placeholder = limit === undefined ? placeholders[type] : defaultLimits[limit];
    const value = convert(String(defaultValue ?? variable.enum?.[0] ?? placeholder), type);
    if (value !== undefined) values[name] = value;
  }
  return Object.freeze(values);
}

const placeholders = {
  string: "placeholder",
  number: "1",
  boolean: "true",
  url: "http://localhost/",
};

const typeNames = {
  string: "text",
  number: "a number",
  boolean: "true or false",
  url: "a URL",
};

const booleans = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

function convert(text: string, type: EnvVariable["type"]): EnvValue | undefined {
  switch (type) {
    case "string":
      return text;
    case "number":
      return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : undefined;
    case "boolean":
      return booleans.get(text.trim().toLowerCase());
    case "url":
      return urlOfVariable(text);
  }
}

/** Names the allowed values of a variable if `value` is not one of them. Otherwise undefined. */
function unmetChoice(variable: EnvVariable, value: EnvValue): string | undefined {
  const choices = variable.enum;
  if (choices === undefined || choices.some((choice) => choice === value)) return undefined;
  return `one of ${choices.join(", ")}`;
}

/** What a variable must be to set the limits that name it; undefined if it is that. */
function unmetLimits(
  { name }: EnvVariable,
  value: EnvValue,
  limits: SetLimits,
): string | undefined {
  for (const limit of limitsSetBy(name, limits)) {
    const expected = unmetLimit(limit, value);
    if (expected !== undefined) return `${expected}, since it sets limits.${limit}`;
  }
  return undefined;
}

function limitsSetBy(variable: string, limits: SetLimits): readonly LimitName[] {
  return limitNames.filter((name) => limitVariable(limits[name]) === variable);
}

function describeProblem({ name, secret }: EnvVariable, text: string, expected: string): string {
  const quotedText = secret ? "" : `, not "${printable(text, 80)}"`;
  return `${name} must be ${expected}${quotedText}`;
}
