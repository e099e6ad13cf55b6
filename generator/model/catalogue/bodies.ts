import { defineDiagnostic } from "../catalogue-entry.js";
import { didYouMean } from "./message-parts.js";

/** Rules about upstreams, and about bodies that send requests to them. */

const UPSTREAM = 'upstreams: {api: {baseUrl: "https://api.example"}}\n';

/** A manifest with one tool that has a body. @param more further keys of the tool */
function example(http: string, more = ""): string {
  const id = "{type: string, description: Id}";
  const tags = "{type: array, items: {type: string}}";
  const schema = `{type: object, properties: {id: ${id}, tags: ${tags}}, required: [id], additionalProperties: false}`;
  return `${UPSTREAM}tools:\n  - name: a\n    description: x\n    inputSchema: ${schema}\n    http: {${http}}${more === "" ? "" : `\n    ${more}`}`;
}

export const undeclaredVariable = defineDiagnostic<{ name: string; nearest?: string }>({
  code: "MW2080",
  severity: "error",
  title: "undeclared variable",
  explanation: {
    cause: "A setting takes its value from an environment variable that `env` does not declare.",
    example: "upstreams: {api: {baseUrl: {env: API_URL}}}",
    fix: "Declare the variable under `env`, with its type and whether it is required.",
  },
  message: ({ name, nearest }) =>
    `env declares no variable ${name}${nearest === undefined ? "" : `; did you mean ${nearest}?`}`,
});

export const urlVariable = defineDiagnostic<{ name: string }>({
  code: "MW2081",
  severity: "error",
  title: "variable is no URL",
  explanation: {
    cause:
      "The URL of an upstream comes from a variable that may hold any text, so that a wrong one would be found at the first call.",
    example: "env: {API_URL: {required: true}}\nupstreams: {api: {baseUrl: {env: API_URL}}}",
    fix: "Give the variable `type: url`: it is then checked when the server starts.",
  },
  message: ({ name }) => `${name} holds the URL of an upstream, but its type is not "url"`,
  hint: () => "write `type: url` under the variable",
});

export const absentUrl = defineDiagnostic<{ name: string }>({
  code: "MW2097",
  severity: "error",
  title: "variable with a URL that may be absent",
  explanation: {
    cause:
      "The URL of an upstream or of its tokens comes from a variable that may be left unset. The server could not start without it.",
    example: "env: {API_URL: {type: url}}\nupstreams: {api: {baseUrl: {env: API_URL}}}",
    fix: "Give the variable `required: true`, or a `default`.",
  },
  message: ({ name }) => `an upstream needs the URL in ${name}, which may be left unset`,
  hint: () => "write `required: true` under the variable, or a `default`",
});

export const unknownUpstream = defineDiagnostic<{ found: string; nearest?: string }>({
  code: "MW2082",
  severity: "error",
  title: "unknown upstream",
  explanation: {
    cause: "A body asks an upstream that `upstreams` does not declare.",
    example: "tools: [{name: a, description: x, http: {upstream: api, path: /x}}]",
    fix: "Declare it under `upstreams`, with its `baseUrl`, or correct the name.",
  },
  message: ({ found, nearest }) => `there is no upstream ${found}${didYouMean(nearest)}`,
});

export const reservedHeader = defineDiagnostic<{ found: string }>({
  code: "MW2083",
  severity: "error",
  title: "header of the connection",
  explanation: {
    cause:
      "A header decides where a request goes, how its end is found or who it comes from, or what parts a `multipart` body has; the connection sets it itself. Cookies have a key of their own.",
    example: example(
      'upstream: api, path: "/x/{{id}}", query: {tags: "{{tags}}"}, headers: {Host: other.example}',
    ),
    fix: "Leave the header out. For cookies, write `cookies`.",
  },
  message: ({ found }) => `the header ${found} cannot be set`,
});

export const bodyAsks = defineDiagnostic<{ key: string }>({
  code: "MW2084",
  severity: "error",
  title: "a body asks the client for nothing",
  explanation: {
    cause: "An item whose manifest says what it does has no code that could ask the client.",
    example: example(
      'upstream: api, path: "/x/{{id}}"',
      "elicitations: {sure: {message: Sure?, requestedSchema: {type: object, properties: {yes: {type: boolean}}}}}",
    ),
    fix: "Remove the key, or write a handler: without the body, its stub is the body as code.",
  },
  message: ({ key }) => `"${key}" is for handlers, and this item has a body`,
});

export const pathForm = defineDiagnostic<{ problem: string; advice?: string }>({
  code: "MW2085",
  severity: "error",
  title: "unusable path",
  explanation: {
    cause:
      "A path begins with a slash, leads to no other folder, and has neither a query nor a fragment: what an upstream's base URL is followed by.",
    example: example('upstream: api, path: "x/{{id}}", query: {tags: "{{tags}}"}'),
    fix: "Write the path from its first slash; parameters stand under `query`.",
  },
  message: ({ problem }) => `the path ${problem}`,
  hint: ({ advice }) => advice,
});

export const placeholderType = defineDiagnostic<{ name: string; found: string; where: string }>({
  code: "MW2086",
  severity: "error",
  title: "placeholder of the wrong type",
  explanation: {
    cause:
      "An argument stands where its values cannot: lists and objects have several forms in a path, none in a text, and a style is for lists, for objects or for both.",
    example: example('upstream: api, path: "/x/{{tags}}", query: {id: "{{id}}"}'),
    fix: "Say how it is written: `path: {template, values: {…: {from, style}}}`, or `{from, style}` in a query; or name another argument.",
  },
  message: ({ name, found, where }) => `"${name}" is ${found}, which cannot stand ${where}`,
});

export const unsentArgument = defineDiagnostic<{ name: string }>({
  code: "MW2087",
  severity: "error",
  title: "argument that is not sent",
  explanation: {
    cause:
      "A body says itself where arguments go (`query`, `body`, `form`, `text`), and leaves one out: what a caller says would have no effect.",
    example: example('upstream: api, path: "/x/{{id}}", query: {page: 1}'),
    fix: "Name the argument where it belongs, or remove it from the inputSchema. Without these keys, arguments that the path does not use go to the query or the JSON body.",
  },
  message: ({ name }) => `the request has no place for the argument "${name}"`,
  hint: ({ name }) => `write {{${name}}} where it belongs: in path, query, headers or body`,
});

export const bodyOfGet = defineDiagnostic<{ method: string; key: string }>({
  code: "MW2088",
  severity: "error",
  title: "request that cannot have a body",
  explanation: {
    cause: "A request with this method is sent without a body.",
    example: example('upstream: api, path: "/x/{{id}}", body: {tags: "{{tags}}"}'),
    fix: "Say the method that the upstream wants, such as `method: POST`, or move the values to `query`.",
  },
  message: ({ method, key }) => `a ${method} request has no body, but "${key}" is given`,
});

export const resultMisfit = defineDiagnostic<{ problem: string }>({
  code: "MW2089",
  severity: "error",
  title: "result that cannot be made",
  explanation: {
    cause:
      "What `result` and `paginate` make of an answer can never be what the outputSchema describes; or they need JSON of an answer that may be cut, or that has no body.",
    example: example(
      'upstream: api, path: "/x/{{id}}", result: {fields: [b]}',
      "outputSchema: {type: object, properties: {c: {type: string, description: x}}, required: [c]}",
    ),
    fix: "Correct `result`, or the outputSchema.",
  },
  message: ({ problem }) => problem,
});

export const strictWithoutSchema = defineDiagnostic<{ what: string }>({
  code: "MW2098",
  severity: "error",
  title: "strict body without an output schema",
  explanation: {
    cause:
      "`strict` of a body says what becomes of an answer that breaks the tool's `outputSchema`: with `strict: true`, the call is an error without the answer; otherwise the model gets the answer as text with a notice. Nothing else has such a schema.",
    example: `${UPSTREAM}tools: [{name: a, description: x, http: {upstream: api, path: /x, strict: true}}]`,
    fix: "Give the tool an `outputSchema`, or take `strict` out. For all tools of an upstream or a database, it may stand there.",
  },
  message: ({ what }) => `"strict" says nothing here: ${what} has no outputSchema`,
});

export const noValues = defineDiagnostic<{ problem: string }>({
  code: "MW2093",
  severity: "error",
  title: "answer without values",
  explanation: {
    cause:
      "What completes an argument, or lists instances, takes its values from JSON: a completion from a list of texts, or from one member of each object in a list.",
    example: `${UPSTREAM}prompts:\n  - name: p\n    description: x\n    arguments: [{name: who, complete: {http: {upstream: api, path: /x, result: {fields: [a, b]}}}}]\n    messages: [{role: user, content: {type: text, text: "Hello {{who}}"}}]`,
    fix: "Name one field, and leave `truncate` out.",
  },
  message: ({ problem }) => problem,
});

export const exampleMisfit = defineDiagnostic<{ expected: string; made: string }>({
  code: "MW2090",
  severity: "error",
  title: "example that does not come of the upstream's answer",
  explanation: {
    cause:
      "An example says what the upstream answers and what comes of it; the body makes something else of that answer.",
    example: example(
      'upstream: api, path: "/x/{{id}}"',
      "examples: [{name: e, arguments: {id: a}, http: {text: hello}, text: bye}]",
    ),
    fix: "Correct the example, or what `result` or `errors` say.",
  },
  message: ({ expected, made }) => `the example expects ${expected}, but the body makes ${made}`,
});

export const exampleWithoutUpstream = defineDiagnostic({
  code: "MW2091",
  severity: "error",
  title: "answer of no upstream",
  explanation: {
    cause: "An example says what an upstream answers, and the manifest has none.",
    example:
      "tools: [{name: a, description: x, examples: [{name: e, http: {text: hello}, text: hello}]}]",
    fix: "Declare the upstream under `upstreams`, or remove `http` from the example.",
  },
  message: () => `an example has "http", but the manifest has no upstreams`,
});

export const headerValue = defineDiagnostic<{ name: string }>({
  code: "MW2092",
  severity: "error",
  title: "value that no header holds",
  explanation: {
    cause: "A header has printable characters of Latin-1 only: each request would be refused.",
    example: 'upstreams: {api: {baseUrl: "https://api.example", headers: {X-Price: "5 \u20ac"}}}',
    fix: "Encode the value as the upstream wants it, or leave the character out.",
  },
  message: ({ name }) => `the value of ${name} has a character that no header holds`,
});

export const halfCertificate = defineDiagnostic<{ given: string; missing: string }>({
  code: "MW2094",
  severity: "error",
  title: "half of a client certificate",
  explanation: {
    cause:
      "A server that proves who it is by a certificate needs two files: the certificate, and the key that belongs to it.",
    example: 'env: {CERT: {}}\nupstreams: {api: {baseUrl: "https://api.example", cert: CERT}}',
    fix: "Name the variables of both files by `cert` and `key`. An authority that the server shall trust is `ca`.",
  },
  message: ({ given, missing }) => `"${given}" needs "${missing}" beside it`,
});

export const privateAddress = defineDiagnostic<{ host: string }>({
  code: "MW2095",
  severity: "error",
  title: "upstream that is refused as private",
  explanation: {
    cause:
      "Only public addresses are connected to, so that no caller reaches what lies inside a network. This upstream has another, and each call would be refused.",
    example: 'upstreams: {api: {baseUrl: "http://localhost:8080"}}',
    fix: "Write `private: true` under the upstream where its place inside the network is meant.",
  },
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
  title: "JSON written as a text",
  explanation: {
    cause:
      "`body` is a value that is sent as JSON: JSON in quotes becomes a text within JSON. `text` is sent as it stands: a quotation mark in an argument would end a text of its JSON.",
    example: example(
      `upstream: api, path: "/x/{{id}}", method: POST, body: '{"tags": "{{id}}"}'`,
    ).replace(", tags: {type: array, items: {type: string}}", ""),
    fix: 'Write the JSON without the quotes around it, as a mapping or a list: `body: {"tags": "{{tags}}"}`. An argument that stands alone keeps its type.',
  },
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
  title: "upstream that is refused as private unless a variable is set",
  explanation: {
    cause:
      "Only public addresses are connected to, so that no caller reaches what lies inside a network. The variable that says where this upstream is has another as its default: each call is refused until it is set.",
    example:
      'env: {API_URL: {type: url, default: "http://localhost:8080"}}\nupstreams: {api: {baseUrl: {env: API_URL}}}',
    fix: "Write `private: true` under the upstream where its place inside the network is meant, or another default.",
  },
  message: ({ name, host }) =>
    `by default ${name} says ${host}, which is no public address, and the upstream is not "private: true"`,
  hint: () => "write `private: true` under the upstream",
});

export const pageParameterTwice = defineDiagnostic<{ name: string }>({
  code: "MW2096",
  severity: "error",
  title: "parameter of the pages that is given twice",
  explanation: {
    cause:
      "A body fetches page after page by a parameter of the query, and the same parameter is given by the query or by an argument, which would have no effect.",
    example: example(
      'upstream: api, path: "/x/{{id}}", query: {tags: "{{tags}}", page: 1}, paginate: {page: {query: page}}',
    ),
    fix: "Remove the parameter or the argument; or remove `paginate`, and let callers ask for a page.",
  },
  message: ({ name }) => `the pagination sets the parameter "${name}" already`,
});

export const pagesOfWrites = defineDiagnostic<{ method: string }>({
  code: "MW2332",
  severity: "warning",
  title: "pages of a request that may change something",
  explanation: {
    cause:
      "A list is read page by page, each by a request of its own, with a method that is for changes: one call might make several of them.",
    example: example(
      'upstream: api, method: POST, path: "/x/{{id}}", query: {tags: "{{tags}}"}, paginate: {page: {query: page}}',
    ),
    fix: "Remove `paginate`, or say the method that reads. Where the request only searches, `diagnostics: {MW2332: off}` ends this warning.",
  },
  message: ({ method }) => `each page is a ${method} request of its own`,
});

export const optionalInPath = defineDiagnostic<{ name: string }>({
  code: "MW2330",
  severity: "warning",
  title: "optional argument in a path",
  explanation: {
    cause: "A path needs a value that callers may leave out: such calls are refused.",
    example: example(
      'upstream: api, path: {template: "/x/{{id}}/{{tags}}", values: {tags: {from: tags}}}',
    ),
    fix: "Make the argument required, or give it a default.",
  },
  message: ({ name }) =>
    `the path needs "${name}", which is optional: calls without it are refused`,
});

export const openCredential = defineDiagnostic<{ name: string }>({
  code: "MW2331",
  severity: "warning",
  title: "credential in a variable that is not secret",
  explanation: {
    cause: "A variable proves to an upstream who the server is, and is not marked as a secret.",
    example:
      'env: {API_TOKEN: {required: true}}\nupstreams: {api: {baseUrl: "https://api.example", auth: {bearer: {env: API_TOKEN}}}}',
    fix: "Write `secret: true` under the variable: its value is then masked wherever it could show.",
  },
  message: ({ name }) => `${name} is a credential, but not marked with "secret: true"`,
});
