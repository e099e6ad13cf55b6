import { defineDiagnostic } from "../catalogue-entry.js";
import { lineSeenFrom, type Place } from "../place.js";
import { didYouMean, referenceTo } from "./message-parts.js";

/** Rules about URIs, URI templates and the content of resources. */

export const notAUri = defineDiagnostic<{ found: string; reason: string }>({
  code: "MW2020",
  severity: "error",
  title: "not a URI",
  explanation: {
    cause: "A resource's URI is empty, relative, or has characters that a URI cannot have.",
    example: 'resources: [{uri: "../help", name: help, description: x}]',
    fix: "Write an absolute URI with a scheme of your own: `weather://help`. Percent-encode spaces and the like.",
  },
  message: ({ found, reason }) => `${found} is not a URI that can be read: ${reason}`,
});

export const refusedScheme = defineDiagnostic<{ scheme: string }>({
  code: "MW2021",
  severity: "error",
  title: "refused scheme",
  explanation: {
    cause:
      "URIs of this scheme are code or data rather than names of resources; clients may run them.",
    example: 'resources: [{uri: "javascript:alert(1)", name: x, description: x}]',
    fix: "Use https, file, or a scheme of your own.",
  },
  message: ({ scheme }) => `the scheme ${scheme} is refused: such a URI is no name of a resource`,
});

export const uriNotCanonical = defineDiagnostic<{ found: string; canonical: string }>({
  code: "MW2022",
  severity: "error",
  title: "URI is not canonical",
  explanation: {
    cause:
      "Clients normalise a URI before they ask for it, so that this one would be listed but could never be read.",
    example: 'resources: [{uri: "https://example.com", name: home, description: x}]',
    fix: "Write the form that the message shows.",
  },
  message: ({ found, canonical }) => `${found} is not canonical; write ${canonical}`,
});

export const duplicateUri = defineDiagnostic<{ found: string; first: Place }>({
  code: "MW2023",
  severity: "error",
  title: "duplicate URI",
  explanation: {
    cause: "Two resources have the same URI, or two resource templates the same template.",
    example:
      'resources:\n  - {uri: "a://b", name: x, description: x}\n  - {uri: "a://b", name: y, description: y}',
    fix: "Change or remove one of them.",
  },
  message: ({ found, first }, place) =>
    `${found} is here twice; the first is on ${lineSeenFrom(place, first)}`,
});

export const uriTooLong = defineDiagnostic<{ found: number; limit: number }>({
  code: "MW2024",
  severity: "error",
  title: "URI too long",
  explanation: {
    cause: "A URI or URI template has more than 2,048 characters.",
    example: "A URI that holds its own content.",
    fix: "Use a shorter one.",
  },
  message: ({ found, limit }) => `the URI has ${found} characters; at most ${limit} are allowed`,
});

export const mimeTypeForm = defineDiagnostic<{ found: string }>({
  code: "MW2025",
  severity: "error",
  title: "not a MIME type",
  explanation: {
    cause:
      "A MIME type is a type, a slash and a subtype, perhaps with parameters. Line ends in it would break headers.",
    example: 'resources: [{uri: "a://b", name: x, description: x, mimeType: markdown}]',
    fix: "Write for example `text/markdown` or `text/html; charset=utf-8`.",
  },
  message: ({ found }) => `${found} is not a MIME type such as "text/markdown"`,
});

export const contentConflict = defineDiagnostic<{ what: string; keys: readonly string[] }>({
  code: "MW2026",
  severity: "error",
  title: "more than one content",
  explanation: {
    cause:
      "Keys that exclude each other stand side by side, so that it is not clear which one counts; or none of them is there and one is needed.",
    example: 'resources: [{uri: "a://b", name: x, description: x, text: hello, blob: aGVsbG8=}]',
    fix: "Keep one of them.",
  },
  message: ({ what, keys }) => `${what} needs exactly one of ${keys.join(", ")}`,
});

export const notBase64 = defineDiagnostic<{ reason: string }>({
  code: "MW2027",
  severity: "error",
  title: "not base64",
  explanation: {
    cause:
      "Bytes are written in base64: groups of four of A-Z, a-z, 0-9, + and /, the last one filled up with =.",
    example: 'resources: [{uri: "a://b", name: x, description: x, blob: hello!}]',
    fix: "Encode the bytes, for example with `base64 -w0 file`. Text goes under `text`.",
  },
  message: ({ reason }) => `this is not base64: ${reason}`,
});

export const projectPath = defineDiagnostic<{ found: string; reason: string }>({
  code: "MW2028",
  severity: "error",
  title: "path outside the project",
  explanation: {
    cause: "`file` names a file inside the project's folder, as a relative path with `/`.",
    example: 'resources: [{uri: "a://b", name: x, description: x, file: ../secrets.txt}]',
    fix: "Move the file into the project and name it from the folder of package.json: `docs/help.md`.",
  },
  message: ({ found, reason }) => `${found} is no path inside the project: ${reason}`,
});

export const urlForm = defineDiagnostic<{
  found: string;
  expected: string;
  /** The variable that the author probably meant, if the manifest declares one of that name. */
  variable?: string;
}>({
  code: "MW2029",
  severity: "error",
  title: "unusable URL",
  explanation: {
    cause:
      "A web site, an icon or a page to open has a URL that clients refuse: only http and https for sites, only https and base64 `data:` images for icons. Placeholders in a page's URL stand after its host.",
    example: 'icons: [{src: "javascript:alert(1)"}]',
    fix: "Write a full https URL.",
  },
  message: ({ found, expected }) => `${found} must be ${expected}`,
  hint: ({ variable }) => referenceTo(variable),
});

export const templateSyntax = defineDiagnostic<{ found: string; advice?: string }>({
  code: "MW2030",
  severity: "error",
  title: "braces of a URI template",
  explanation: {
    cause: "A brace of a URI template opens or closes nothing, or nothing stands between two.",
    example: 'resourceTemplates: [{uriTemplate: "demo://x{", name: x, description: x}]',
    fix: "Write `{name}`. A brace that is meant as text is written %7B or %7D.",
  },
  message: ({ found }) => `${found} in the URI template opens or closes nothing`,
  hint: ({ advice }) => advice,
});

export const nearVariable = defineDiagnostic<{ found: string; written: string }>({
  code: "MW2312",
  severity: "warning",
  title: "almost a variable",
  explanation: {
    cause:
      "A variable of a URI template stands in braces, with nothing before them. `:id` and the dollar sign of `${id}` are plain text, which a URI must have as it is.",
    example: 'resourceTemplates: [{uriTemplate: "demo://users/:id", name: x, description: x}]',
    fix: "Write `{id}`; if the text is meant, leave it and switch the warning off.",
  },
  message: ({ found, written }) => `${found} is plain text; ${written}`,
});

export const templateUnsupported = defineDiagnostic<{ found: string }>({
  code: "MW2031",
  severity: "error",
  title: "URI template feature left out",
  explanation: {
    cause:
      "Some features of RFC 6570 cannot be matched without guessing. Supported are {x}, {+x}, {/x}, {.x}, {?a,b} at the end, and one {/path*} at the end.",
    example: 'resourceTemplates: [{uriTemplate: "demo://{id:3}", name: x, description: x}]',
    fix: "Use one of the supported forms.",
  },
  message: ({ found }) =>
    `${found} is not supported here; use {x}, {+x}, {/x}, {.x}, and at the end {?a,b} or {/path*}`,
});

export const templateVariable = defineDiagnostic<{ found: string }>({
  code: "MW2032",
  severity: "error",
  title: "variable of a URI template",
  explanation: {
    cause:
      "A variable's name has letters, digits and underscores only, and does not start with a digit.",
    example: 'resourceTemplates: [{uriTemplate: "demo://{user-id}", name: x, description: x}]',
    fix: "Rename the variable: {user_id}.",
  },
  message: ({ found }) =>
    `${found} is no name of a variable: letters, digits and underscores, no digit first`,
});

export const templateRepeated = defineDiagnostic<{ found: string }>({
  code: "MW2033",
  severity: "error",
  title: "variable twice in a URI template",
  explanation: {
    cause: "A variable stands twice in a URI template; its two values could differ.",
    example: 'resourceTemplates: [{uriTemplate: "demo://{id}/{id}", name: x, description: x}]',
    fix: "Give the variables different names.",
  },
  message: ({ found }) => `the variable ${found} is in the URI template twice`,
});

export const templateAmbiguous = defineDiagnostic<{ found: string }>({
  code: "MW2034",
  severity: "error",
  title: "ambiguous URI template",
  explanation: {
    cause:
      "A URI could be taken apart in more than one way: two expressions have no slash between them, so that either could hold what separates them, or both take any number of segments.",
    example: 'resourceTemplates: [{uriTemplate: "demo://{a}-{b}", name: x, description: x}]',
    fix: "Put a slash between expressions: `demo://{a}/{b}`.",
  },
  message: ({ found }) =>
    `before ${found}, it is not clear where the expression to its left ends; put a slash between them`,
});

export const unknownVariable = defineDiagnostic<{ found: string; nearest?: string }>({
  code: "MW2035",
  severity: "error",
  title: "completion of no variable",
  explanation: {
    cause: "`complete` names a variable that the URI template does not have.",
    example:
      'resourceTemplates:\n  - uriTemplate: "demo://{city}"\n    name: x\n    description: x\n    complete: {town: [Berlin]}',
    fix: "Use the names of the template.",
  },
  message: ({ found, nearest }) =>
    `the URI template has no variable ${found}${didYouMean(nearest)}`,
});

export const servedSecret = defineDiagnostic<{ found: string }>({
  code: "MW2310",
  severity: "warning",
  title: "file of secrets as a resource",
  explanation: {
    cause:
      "Everybody who may read the resource gets the file as it is, and the models that they work with too. By its name, it is one that programs keep keys or passwords in: `.env`, a private key, `.npmrc` and the like.",
    example:
      'resources: [{uri: "config://env", name: environment, description: Settings, file: .env}]',
    fix: "Serve another file; or leave `file` out and write a handler that answers what may be seen. If the file holds no secret, switch this off: `diagnostics: {MW2310: off}`.",
  },
  message: ({ found }) =>
    `${found} looks like a file of secrets, and whoever reads this resource gets all of it`,
});

export const hiddenTemplate = defineDiagnostic<{ found: string; other: string; first: Place }>({
  code: "MW2318",
  severity: "warning",
  title: "URI template that is never used",
  explanation: {
    cause:
      "Two templates match the same URIs: they differ in the names of their variables alone. The first one in the manifest answers, so that the other is listed and never read.",
    example:
      'resourceTemplates:\n  - {uriTemplate: "docs:///{page}", name: x, description: x}\n  - {uriTemplate: "docs:///{section}", name: y, description: y}',
    fix: "Tell them apart by a text: `docs:///pages/{page}` and `docs:///sections/{section}`.",
  },
  message: ({ found, other, first }, place) =>
    `${found} matches what ${other} on ${lineSeenFrom(place, first)} matches, which answers first`,
});

export const templateWithoutVariable = defineDiagnostic<{ found: string }>({
  code: "MW2319",
  severity: "warning",
  title: "URI template without a variable",
  explanation: {
    cause:
      "A template without a variable matches one URI. Clients show it as a template that has nothing to fill in, and do not list it among the resources.",
    example: 'resourceTemplates: [{uriTemplate: "docs:///about", name: x, description: x}]',
    fix: "Move it to `resources`, with `uri` instead of `uriTemplate`.",
  },
  message: ({ found }) => `${found} has no variable, so that it is the template of one URI`,
  hint: () => 'an item with a fixed URI stands under "resources", with "uri"',
});
