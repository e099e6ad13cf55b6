import { CREDENTIALS } from "../../credentials/index.js";
import { accountUpstreams } from "../../model/linked-accounts.js";
import type { EnvVariableModel, ServerModel } from "../../model/server-model.js";
import { exposesPages } from "../model-facts.js";
import { asksAnything, needsConsent } from "../modules/asking.js";
import { revealInvisible } from "../../text/markdown.js";

/** One variable of `.env.example`: comment lines, then `NAME=value`. */
export interface EnvExampleEntry {
  readonly comments: readonly string[];
  readonly name: string;
  readonly value: string;
}

/** Name of a variable that the runtime reads, not the manifest. */
export const REQUEST_STATE_KEY = "REQUEST_STATE_KEY";

/** The key that encrypts what clients keep for the server: the state between a question and its answer, and cursors of lists. */
const requestStateKey: EnvVariableModel = {
  name: REQUEST_STATE_KEY,
  type: "string",
  required: false,
  secret: true,
  network: true,
  description: `Key of at least 32 characters, the same on every node; openssl rand -hex 32 makes one.
Without it each process makes its own, and questions to users, cursors of lists and accounts of callers are lost when it ends.
Several keys with commas between them: the first is used, the others still open.`,
};

/** The environment variables that the server reads: those of the manifest, and those that its features need. */
export function serverVariables(model: ServerModel): EnvVariableModel[] {
  const { env, transports } = model;
  const declared = new Set(env.map(({ name }) => name));
  const files = transports.flatMap((transport) =>
    transport.type === "http" && transport.tls !== undefined
      ? [
          pathVariable(transport.tls.cert, "Path of the TLS certificate, a PEM file"),
          pathVariable(transport.tls.key, "Path of the certificate's private key, a PEM file"),
        ]
      : [],
  );
  const hasHttp = transports.some(({ type }) => type === "http");
  const asks = asksAnything(model) || needsConsent(model);
  const seals = asks || exposesPages(model) || accountUpstreams(model).length > 0;
  const keys = hasHttp && seals ? [requestStateKey] : [];
  const described = env.map((variable) => ({
    ...defaultDescription(variable, model),
    ...variable,
  }));
  return [...described, ...[...files, ...keys].filter(({ name }) => !declared.has(name))];
}

/** The description of a variable, derived from the setting that uses it, for variables without their own. */
function defaultDescription({ name }: EnvVariableModel, { auth, scale }: ServerModel): object {
  if (scale?.redis.env === name) {
    return {
      description: "URL of Redis, redis:// or rediss://; the same in every process of the server",
    };
  }
  const variables = auth?.credentials.map((one) => CREDENTIALS[one.kind].variable?.(one)) ?? [];
  const described = variables.find((variable) => variable?.name === name);
  return described === undefined ? {} : { description: described.description };
}

function pathVariable(name: string, description: string): EnvVariableModel {
  return { name, type: "string", description, required: true, secret: false, network: true };
}

/** The entry of a variable in `.env.example`. */
export function envExampleEntry(variable: EnvVariableModel): EnvExampleEntry {
  const description = (variable.description ?? "").split(/\r\n|[\n\r\u2028\u2029]/);
  return {
    comments: [...description.map(commentText).filter((line) => line !== ""), facts(variable)],
    name: variable.name,
    value: exampleValue(variable),
  };
}

function commentText(line: string): string {
  return revealInvisible(line.replaceAll("\t", " ")).trim();
}

/** A variable, as the template of SERVER.md needs it. Absent values are null, since the template engine is strict. */
export function variableView(variable: EnvVariableModel): object {
  const { name, description, secret, default: value } = variable;
  return {
    name,
    facts: facts(variable),
    default: secret || value === undefined ? null : String(value),
    description: description ?? "",
  };
}

/** Properties of a variable as a sentence, such as "Required, secret, a number." */
function facts(variable: EnvVariableModel): string {
  const values = variable.enum?.map((value) => commentText(String(value))).join(", ");
  const kinds = { string: "", number: "a number", boolean: "true or false", url: "a URL" };
  const words = [
    requirement(variable),
    variable.secret ? "secret" : "",
    values === undefined ? kinds[variable.type] : `one of ${values}`,
  ];
  const sentence = words.filter((word) => word !== "").join(", ");
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

function requirement({ required, network }: EnvVariableModel): string {
  if (!required) return "optional";
  return network === true ? "required over the network" : "required";
}

/** The default value, or nothing if parsers of such files could read it differently. */
function exampleValue({ secret, default: value }: EnvVariableModel): string {
  if (secret || value === undefined) return "";
  const text = String(value);
  if (/^[A-Za-z0-9_./:@%+,=-]*$/.test(text)) return text;
  return /^[^'\\$`\n\r]*$/.test(text) && revealInvisible(text) === text ? `'${text}'` : "";
}
