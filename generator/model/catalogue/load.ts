import { defineDiagnostic } from "../catalogue-entry.js";
import type { Mend } from "../mend.js";

/** Reading the manifest: files, encoding and the YAML that a manifest may use. */

export const manifestNotFound = defineDiagnostic<{ reason: string }>({
  code: "MW1001",
  message: ({ reason }) => `the manifest was not found: ${reason}`,
  hint: () => "`mcpwright init` writes a starter manifest",
});

export const manifestNotAFile = defineDiagnostic<{ found: string }>({
  code: "MW1002",
  message: ({ found }) => `the manifest must be a regular file, not ${found}`,
  hint: ({ found }) =>
    found === "a folder" ? "name the manifest in it, or run in the folder with `-C`" : undefined,
});

export const manifestUnreadable = defineDiagnostic<{ reason: string }>({
  code: "MW1003",
  message: ({ reason }) => `the manifest cannot be read: ${reason}`,
});

export const manifestTooLarge = defineDiagnostic<{ bytes: number; limit: number }>({
  code: "MW1004",
  message: ({ bytes, limit }) => `the manifest has ${bytes} bytes; at most ${limit} are read`,
});

export const notUtf8 = defineDiagnostic<{ encoding: string }>({
  code: "MW1005",
  message: ({ encoding }) => `the file is ${encoding}; save it as UTF-8`,
});

export const invalidUtf8 = defineDiagnostic({
  code: "MW1006",
  message: () => "the file is not valid UTF-8 from here on",
});

export const rawControlCharacter = defineDiagnostic<{ character: string }>({
  code: "MW1007",
  message: ({ character }) => `the control character ${character} must not stand in a YAML file`,
  hint: () => 'in free text, write it as an escape inside double quotes: "\\u001b"',
  mend: () => ({ edit: "escape character" }),
});

export const yamlSyntax = defineDiagnostic<{ problem: string; advice?: string; mend?: Mend }>({
  code: "MW1008",
  message: ({ problem }) => problem,
  hint: ({ advice }) => advice,
  mend: ({ mend }) => mend,
});

export const rootNotMapping = defineDiagnostic<{ found: string; isPart: boolean }>({
  code: "MW1009",
  message: ({ found, isPart }) =>
    isPart
      ? `an included file is a mapping with keys such as "tools", but this is ${found}`
      : `a manifest is a mapping with keys such as "name", but this is ${found}`,
  hint: ({ isPart }) =>
    isPart
      ? "write items into it, or delete the file"
      : "`mcpwright init` writes one to start from",
});

export const multipleDocuments = defineDiagnostic({
  code: "MW1010",
  message: () => "a second YAML document starts here; a manifest is one document",
});

export const yamlDirective = defineDiagnostic<{ directive: string }>({
  code: "MW1011",
  message: ({ directive }) =>
    `the directive "${directive}" is not supported; manifests are YAML 1.2`,
});

export const yamlTag = defineDiagnostic<{ tag: string }>({
  code: "MW1012",
  message: ({ tag }) => `the tag ${tag} is not supported; manifests hold plain data`,
  hint: ({ tag }) => {
    // `!include` of Home Assistant and RAML, `!reference` of GitLab CI, `!Ref` of CloudFormation
    if (/^!(?:include|ref(?:erence)?)(?![a-z])/i.test(tag)) {
      return "the key `include` joins files to a manifest; what is used in several places stands under `schemas`";
    }
    if (tag.startsWith("!!")) return "put quotes around a value that must be text";
    return "put a text that starts with ! in quotes";
  },
  mend: ({ tag }) => (tag === "!!str" ? { edit: "quote tagged" } : undefined),
});

export const mergeKey = defineDiagnostic({
  code: "MW1013",
  message: () => "merge keys are not supported",
  hint: () => "write the keys out, or share schemas through `schemas` and `$ref`",
});

export const duplicateKey = defineDiagnostic<{
  key: string;
  firstLine: number;
  owner?: string;
  ownerLine?: number;
}>({
  code: "MW1014",
  message: ({ key, firstLine }) =>
    `the key "${key}" is here twice; the first is on line ${firstLine}`,
  hint: ({ owner, ownerLine }) =>
    owner && `if it belongs to ${owner} on line ${ownerLine}, indent it`,
  mend: () => ({ edit: "remove entry" }),
});

export const nonStringKey = defineDiagnostic<{ found: string }>({
  code: "MW1015",
  message: ({ found }) => `a key must be a string, not ${found}`,
  hint: () => "put the key in quotes",
  mend: () => ({ edit: "quote key" }),
});

export const nonScalarKey = defineDiagnostic<{ placeholder?: string }>({
  code: "MW1016",
  message: () => "a key must be a string, not a list or a mapping",
  hint: ({ placeholder }) =>
    placeholder && `${placeholder} is a mapping to YAML; write "${placeholder}"`,
  mend: ({ placeholder }) => (placeholder === undefined ? undefined : { edit: "quote" }),
});

export const forbiddenKey = defineDiagnostic<{ key: string }>({
  code: "MW1017",
  message: ({ key }) => `the key "${key}" is not allowed anywhere in a manifest`,
});

export const unknownAlias = defineDiagnostic<{ alias: string }>({
  code: "MW1018",
  message: ({ alias }) => `nothing before this is marked &${alias}`,
  // dalibo/ldap2pg#195: `*_adm`
  hint: () => "text that starts with * needs quotes",
  mend: () => ({ edit: "quote" }),
});

/** Names of characters that look like a space. Others are called "space". */
const SPACE_NAMES: Readonly<Record<string, string>> = {
  "\u00a0": "no-break space",
  "\u200b": "zero-width space",
  "\u2060": "word joiner",
  "\u202f": "narrow no-break space",
  "\u3000": "ideographic space",
  "\ufeff": "byte-order mark",
};

const isWithoutWidth = (character: string): boolean =>
  /[\u200b-\u200d\u2060\ufeff]/.test(character);

export const foreignSpace = defineDiagnostic<{
  character: string;
  /** The key with its colon, or the dash, that stands directly before it. */
  after?: string;
  /** How many further lines have one. */
  more: number;
}>({
  code: "MW1026",
  message: ({ character, after }) => {
    const name = SPACE_NAMES[character] ?? "space";
    const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
    if (after !== undefined)
      return `a ${name} (${code}) stands after "${after}" in place of a space`;
    if (isWithoutWidth(character))
      return `this line starts with a ${name} (${code}), which is not seen`;
    return `this line is indented with ${name}s (${code})`;
  },
  hint: ({ character, after, more }) => {
    const remedy = after === undefined && isWithoutWidth(character) ? "remove it" : "use spaces";
    if (more === 0) return remedy;
    return `${remedy}, here and in ${more === 1 ? "1 more line" : `${more} more lines`}`;
  },
  mend: () => ({ edit: "use spaces" }),
});

export const textInComment = defineDiagnostic<{ comment: string }>({
  code: "MW1027",
  severity: "warning",
  message: ({ comment }) => `the text ends before "${comment}", which is a comment`,
  hint: () => "put the text in quotes, or a space after # if a comment is meant",
});

export const unusedAnchor = defineDiagnostic<{ anchor: string }>({
  code: "MW1028",
  severity: "warning",
  message: ({ anchor }) => `the anchor &${anchor} is never used, and is no part of the text`,
  hint: () => "put a text that starts with & in quotes",
});
