import { defineDiagnostic } from "../catalogue-entry.js";
import { didYouMean, mendOfName } from "./message-parts.js";
import type { Mend } from "../mend.js";

/** Rules about upstreams, and about bodies that send requests to them. */

export const undeclaredVariable = defineDiagnostic<{
  name: string;
  nearest?: string;
  /** What the variable holds, if it has settings of its own. */
  holds?: "credential" | "url";
}>({
  code: "MW2080",
  message: ({ name, nearest }) =>
    `env declares no variable ${name}${nearest === undefined ? "" : `; did you mean ${nearest}?`}`,
  // A trial: the reference was there before the variable. Another one wrote what the hint said, and had further errors.
  hint: ({ name, nearest, holds }) => {
    if (nearest !== undefined) return undefined;
    const settings = { credential: "secret: true", url: "type: url" };
    const more = holds === undefined ? "" : `, ${settings[holds]}`;
    return `declare it: env: { ${name}: { required: true${more} } }`;
  },
  mend: mendOfName,
});

export const urlVariable = defineDiagnostic<{ name: string }>({
  code: "MW2081",
  message: ({ name }) => `${name} holds the URL of an upstream, but its type is not "url"`,
  hint: () => "write `type: url` under the variable",
});

export const absentUrl = defineDiagnostic<{ name: string }>({
  code: "MW2097",
  message: ({ name }) => `an upstream needs the URL in ${name}, which may be left unset`,
  hint: () => "write `required: true` under the variable, or a `default`",
});

export const unknownUpstream = defineDiagnostic<{ found: string; nearest?: string }>({
  code: "MW2082",
  message: ({ found, nearest }) => `there is no upstream ${found}${didYouMean(nearest)}`,
  mend: mendOfName,
});

export const reservedHeader = defineDiagnostic<{ found: string }>({
  code: "MW2083",
  message: ({ found }) => `the header ${found} cannot be set`,
});

export const bodyAsks = defineDiagnostic<{ key: string }>({
  code: "MW2084",
  message: ({ key }) => `"${key}" is for handlers, and this item has a body`,
});

export const pathForm = defineDiagnostic<{ problem: string; advice?: string; mend?: Mend }>({
  code: "MW2085",
  message: ({ problem }) => `the path ${problem}`,
  hint: ({ advice }) => advice,
  mend: ({ mend }) => mend,
});

export const placeholderType = defineDiagnostic<{ name: string; found: string; where: string }>({
  code: "MW2086",
  message: ({ name, found, where }) => `"${name}" is ${found}, which cannot stand ${where}`,
});

export const unsentArgument = defineDiagnostic<{ name: string }>({
  code: "MW2087",
  message: ({ name }) => `the request has no place for the argument "${name}"`,
  hint: ({ name }) => `write {{${name}}} where it belongs: in path, query, headers or body`,
});

export const bodyOfGet = defineDiagnostic<{ method: string; key: string }>({
  code: "MW2088",
  message: ({ method, key }) => `a ${method} request has no body, but "${key}" is given`,
});

export const resultMisfit = defineDiagnostic<{ problem: string }>({
  code: "MW2089",
  message: ({ problem }) => problem,
});

export const fieldWithoutSchema = defineDiagnostic<{
  name: string;
  nearest: string | undefined;
  known: readonly string[];
}>({
  code: "MW2364",
  severity: "warning",
  message: ({ name, nearest, known }) =>
    `"fields" keeps "${name}", which the outputSchema does not have: ${nearest === undefined ? `there are ${known.slice(0, 8).join(", ")}` : `did you mean "${nearest}"?`}`,
});

export const strictWithoutSchema = defineDiagnostic<{ what: string }>({
  code: "MW2098",
  message: ({ what }) => `"strict" says nothing here: ${what} has no outputSchema`,
});

export const noValues = defineDiagnostic<{ problem: string }>({
  code: "MW2093",
  message: ({ problem }) => problem,
});

export const exampleMisfit = defineDiagnostic<{ expected: string; made: string }>({
  code: "MW2090",
  message: ({ expected, made }) => `the example expects ${expected}, but the body makes ${made}`,
});

export const exampleWithoutUpstream = defineDiagnostic({
  code: "MW2091",
  message: () => `an example has "http", but the manifest has no upstreams`,
});

export const headerValue = defineDiagnostic<{ name: string }>({
  code: "MW2092",
  message: ({ name }) => `the value of ${name} has a character that no header holds`,
});

export const halfCertificate = defineDiagnostic<{ given: string; missing: string }>({
  code: "MW2094",
  message: ({ given, missing }) => `"${given}" needs "${missing}" beside it`,
});

export const privateAddress = defineDiagnostic<{ host: string }>({
  code: "MW2095",
  message: ({ host }) => `${host} is no public address, and the upstream is not "private: true"`,
  hint: () => "write `private: true` under the upstream",
});

export const jsonAsText = defineDiagnostic<{
  key: "body" | "text";
  /** What the JSON is: `a mapping`. */
  kind: string;
  /** An argument in the text. */
  name?: string;
  /** The JSON as a value of YAML, if it is short. */
  json?: string;
}>({
  code: "MW2334",
  severity: "warning",
  message: ({ key, name }) =>
    key === "body"
      ? "this body is sent as one text within JSON"
      : `nothing escapes the argument "${name}" in this JSON`,
  hint: ({ kind, json }) =>
    json === undefined
      ? `write it as ${kind} under "body", without quotes around it`
      : `write it as ${kind}: body: ${json}`,
});

export const privateDefault = defineDiagnostic<{ name: string; host: string }>({
  code: "MW2333",
  severity: "warning",
  message: ({ name, host }) =>
    `by default ${name} says ${host}, which is no public address, and the upstream is not "private: true"`,
  hint: () => "write `private: true` under the upstream",
});

export const pageParameterTwice = defineDiagnostic<{ name: string }>({
  code: "MW2096",
  message: ({ name }) => `the pagination sets the parameter "${name}" already`,
});

export const pagesOfWrites = defineDiagnostic<{ method: string }>({
  code: "MW2332",
  severity: "warning",
  message: ({ method }) => `each page is a ${method} request of its own`,
});

export const optionalInPath = defineDiagnostic<{ name: string }>({
  code: "MW2330",
  severity: "warning",
  message: ({ name }) =>
    `the path needs "${name}", which is optional: calls without it are refused`,
});

export const openCredential = defineDiagnostic<{ name: string }>({
  code: "MW2331",
  severity: "warning",
  message: ({ name }) => `${name} is a credential, but not marked with "secret: true"`,
});
