import { defineDiagnostic } from "../catalogue-entry.js";

/** Reading the manifest: files, encoding and the YAML that a manifest may use. */

export const manifestNotFound = defineDiagnostic<{ reason: string }>({
  code: "MW1001",
  severity: "error",
  title: "manifest not found",
  explanation: {
    cause: "There is no file at the manifest's path, or a link there leads nowhere.",
    example: "mcpwright validate not-there.yaml",
    fix: "Name the manifest's path, or write a starter manifest with `mcpwright init`.",
  },
  message: ({ reason }) => `the manifest was not found: ${reason}`,
  hint: () => "`mcpwright init` writes a starter manifest",
});

export const manifestNotAFile = defineDiagnostic<{ found: string }>({
  code: "MW1002",
  severity: "error",
  title: "manifest is not a file",
  explanation: {
    cause:
      "The manifest's path leads to a folder, a pipe, a device or a socket. Only regular files are opened, so that reading always ends.",
    example: "mkfifo mcp.yaml && mcpwright validate",
    fix: "Save the manifest as a regular file.",
  },
  message: ({ found }) => `the manifest must be a regular file, not ${found}`,
  hint: ({ found }) =>
    found === "a folder" ? "name the manifest in it, or run in the folder with `-C`" : undefined,
});

export const manifestUnreadable = defineDiagnostic<{ reason: string }>({
  code: "MW1003",
  severity: "error",
  title: "manifest cannot be read",
  explanation: {
    cause: "The operating system refused to read the file, for example because of its permissions.",
    example: "chmod 000 mcp.yaml && mcpwright validate",
    fix: "Make the file readable for the user who runs mcpwright.",
  },
  message: ({ reason }) => `the manifest cannot be read: ${reason}`,
});

export const manifestTooLarge = defineDiagnostic<{ bytes: number; limit: number }>({
  code: "MW1004",
  severity: "error",
  title: "manifest too large",
  explanation: {
    cause: "The file is larger than 8 MiB (8,388,608 bytes).",
    example: "A manifest with megabytes of base64 in `blob`.",
    fix: "Move large content out of the manifest: `file` names a file of the project instead.",
  },
  message: ({ bytes, limit }) => `the manifest has ${bytes} bytes; at most ${limit} are read`,
});

export const notUtf8 = defineDiagnostic<{ encoding: string }>({
  code: "MW1005",
  severity: "error",
  title: "file is not UTF-8",
  explanation: {
    cause: "The file's first bytes are those of UTF-16 or UTF-32; manifests are UTF-8.",
    example: "A manifest saved by an editor as “Unicode” or “UTF-16”.",
    fix: "Save the file as UTF-8, with or without a byte-order mark.",
  },
  message: ({ encoding }) => `the file is ${encoding}; save it as UTF-8`,
});

export const invalidUtf8 = defineDiagnostic({
  code: "MW1006",
  severity: "error",
  title: "invalid UTF-8",
  explanation: {
    cause: "The file has bytes that are not UTF-8, for example from Latin-1 or a cut-off copy.",
    example: 'title: "Caf\\xe9" (the byte E9 alone)',
    fix: "Save the file as UTF-8.",
  },
  message: () => "the file is not valid UTF-8 from here on",
});

export const rawControlCharacter = defineDiagnostic<{ character: string }>({
  code: "MW1007",
  severity: "error",
  title: "control character in the file",
  explanation: {
    cause: "YAML text has no control characters but tab, line feed and carriage return.",
    example: "A terminal escape sequence that was pasted into a description.",
    fix: 'Remove the character. Where a text really needs it, write an escape in double quotes: "\\u001b".',
  },
  message: ({ character }) => `the control character ${character} must not stand in a YAML file`,
  hint: () => 'in free text, write it as an escape inside double quotes: "\\u001b"',
});

export const yamlSyntax = defineDiagnostic<{ problem: string; advice?: string }>({
  code: "MW1008",
  severity: "error",
  title: "YAML syntax",
  explanation: {
    cause: "The file is not YAML: a bracket or quote is not closed, the indentation is uneven, …",
    example: "tools: [{name: a",
    fix: "Correct the place that the message names. Texts with `: `, `#`, quotes or brackets are safest in double quotes.",
  },
  message: ({ problem }) => problem,
  hint: ({ advice }) => advice,
});

export const rootNotMapping = defineDiagnostic<{ found: string }>({
  code: "MW1009",
  severity: "error",
  title: "manifest is not a mapping",
  explanation: {
    cause:
      "The document is empty, or is a list or a single value; a manifest is a mapping of keys.",
    example: "- name: demo",
    fix: 'Start with the required keys, each followed by a colon and a space: `name: demo`, `version: "1.0.0"`.',
  },
  message: ({ found }) => `a manifest is a mapping with keys such as "name", but this is ${found}`,
  hint: () => "`mcpwright init` writes one to start from",
});

export const multipleDocuments = defineDiagnostic({
  code: "MW1010",
  severity: "error",
  title: "more than one document",
  explanation: {
    cause: "A line `---` starts a second YAML document; a manifest is one document.",
    example: "name: demo\n---\nname: other",
    fix: "Remove the line, or put the second manifest into a file of its own.",
  },
  message: () => "a second YAML document starts here; a manifest is one document",
});

export const yamlDirective = defineDiagnostic<{ directive: string }>({
  code: "MW1011",
  severity: "error",
  title: "YAML directive",
  explanation: {
    cause:
      "A directive changes how the file is read: under YAML 1.1, `no` is false and dates are not text. Manifests are YAML 1.2.",
    example: "%YAML 1.1\n---\nname: no",
    fix: "Remove the directive.",
  },
  message: ({ directive }) =>
    `the directive "${directive}" is not supported; manifests are YAML 1.2`,
});

export const yamlTag = defineDiagnostic<{ tag: string }>({
  code: "MW1012",
  severity: "error",
  title: "YAML tag",
  explanation: {
    cause:
      "A tag (`!…`) asks the reader to make something else than plain data. Manifests are plain data.",
    example: 'title: !!js/function "function () {}"',
    fix: "Remove the tag; where text could be taken for a number, write it in quotes.",
  },
  message: ({ tag }) => `the tag ${tag} is not supported; manifests hold plain data`,
  hint: ({ tag }) => {
    if (/^!(?:include|import|file|ref(?:erence)?)(?![a-z])/i.test(tag)) {
      return "a manifest is one file; what is used in several places stands under `schemas`";
    }
    if (tag.startsWith("!!")) return "put quotes around a value that must be text";
    return "put a text that starts with ! in quotes";
  },
});

export const mergeKey = defineDiagnostic({
  code: "MW1013",
  severity: "error",
  title: "merge key",
  explanation: {
    cause: "`<<` (merge) is not part of YAML 1.2 and hides what a mapping holds.",
    example:
      "x-base: &base {type: object}\ntools:\n  - name: a\n    description: x\n    inputSchema: {<<: *base}",
    fix: "Write the keys out, or describe shared schemas under `schemas` and refer to them with `$ref`.",
  },
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
  severity: "error",
  title: "duplicate key",
  explanation: {
    cause: "A mapping has the same key twice, so one of the two values would silently be lost.",
    example: "tools:\n  - name: a\n    description: one\n    description: two",
    fix: "Remove one of the two, or indent the one that belongs to the key above it.",
  },
  message: ({ key, firstLine }) =>
    `the key "${key}" is here twice; the first is on line ${firstLine}`,
  hint: ({ owner, ownerLine }) =>
    owner && `if it belongs to ${owner} on line ${ownerLine}, indent it`,
});

export const nonStringKey = defineDiagnostic<{ found: string }>({
  code: "MW1015",
  severity: "error",
  title: "key is not a string",
  explanation: {
    cause:
      "A key is a boolean, empty, or a number that can be written in several ways; it would clash with the text that looks the same. Whole numbers such as `404` are taken as texts.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      properties:\n        1.50: {type: string}",
    fix: 'Put the key in quotes: `"1.50": …`.',
  },
  message: ({ found }) => `a key must be a string, not ${found}`,
  hint: () => "put the key in quotes",
});

export const nonScalarKey = defineDiagnostic<{ placeholder?: string }>({
  code: "MW1016",
  severity: "error",
  title: "key is a list or a mapping",
  explanation: {
    cause: "A key is itself a list or a mapping; manifests have string keys only.",
    example: "x-table:\n  ? [a, b]\n  : value",
    fix: 'Use a string as the key. Text that starts with `[`, `{` or `? ` needs quotes, also a placeholder: `"{{city}}"`.',
  },
  message: () => "a key must be a string, not a list or a mapping",
  hint: ({ placeholder }) =>
    placeholder && `${placeholder} is a mapping to YAML; write "${placeholder}"`,
});

export const forbiddenKey = defineDiagnostic<{ key: string }>({
  code: "MW1017",
  severity: "error",
  title: "forbidden key",
  explanation: {
    cause:
      "`__proto__` as a key changes what a JavaScript object is, in every program that reads it.",
    example:
      "tools:\n  - name: a\n    description: x\n    inputSchema:\n      type: object\n      properties:\n        __proto__: {type: string}",
    fix: "Use another name.",
  },
  message: ({ key }) => `the key "${key}" is not allowed anywhere in a manifest`,
});

export const unknownAlias = defineDiagnostic<{ alias: string }>({
  code: "MW1018",
  severity: "error",
  title: "unknown alias",
  explanation: {
    cause: "`*name` repeats a value marked `&name`, and no such mark stands before it.",
    example: "title: *nowhere",
    fix: "Mark the value first with `&name`, or put text that starts with `*` in quotes.",
  },
  message: ({ alias }) => `nothing before this is marked &${alias}`,
  hint: () => "text that starts with * needs quotes",
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
  severity: "error",
  title: "space that YAML does not see",
  explanation: {
    cause:
      "A line is indented with characters that only look like spaces, or one stands after a colon or a dash. To YAML they are letters. They come along when text is copied from web pages.",
    example: "tools:\n  - name: a\n\u00a0\u00a0\u00a0\u00a0description: x",
    fix: "Replace them with spaces. A key that really begins with one needs quotes.",
  },
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
});

export const textInComment = defineDiagnostic<{ comment: string }>({
  code: "MW1027",
  severity: "warning",
  title: "text that YAML takes for a comment",
  explanation: {
    cause:
      "A space and `#` begin a comment, also after a text. What follows was probably meant as a part of the text, since no space follows the `#`.",
    example: "tools:\n  - name: a\n    description: Closes issue #12 of a repository.",
    fix: "Put the text in quotes. If a comment is meant, write a space after the `#`.",
  },
  message: ({ comment }) => `the text ends before "${comment}", which is a comment`,
  hint: () => "put the text in quotes, or a space after # if a comment is meant",
});

export const unusedAnchor = defineDiagnostic<{ anchor: string }>({
  code: "MW1028",
  severity: "warning",
  title: "anchor that is never used",
  explanation: {
    cause:
      "`&` and a word at the beginning of a text are an anchor, which is no part of the text. No alias repeats it, so it was probably meant as text.",
    example: "tools:\n  - name: a\n    description: &amp starts an entity of HTML.",
    fix: "Put the text in quotes, or remove the anchor.",
  },
  message: ({ anchor }) => `the anchor &${anchor} is never used, and is no part of the text`,
  hint: () => "put a text that starts with & in quotes",
});
