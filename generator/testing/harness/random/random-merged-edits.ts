import { applyEdits, findNodeAtLocation, modify, parseTree, type JSONPath } from "jsonc-parser";

/** The index that the parser takes for "after the last item". */
const AT_THE_END = -1;

/** What people and their tools do to a file that is merged; `mark` is unlike that of every other edit. */
export const MERGED_FILE_EDITS: Readonly<Record<string, (text: string, mark: string) => string>> = {
  "a key of one's own": (text, mark) => withKey(text, [`own-${mark}`], { "b ": [1, 2], a: mark }),
  "a key of one's own in a generated object": (text, mark) =>
    withKey(text, ["scripts", `own-${mark}`], `echo ${mark}`),
  "a key that a newer mcpwright makes too": (text) => withKey(text, ["scripts", "lint"], "eslint"),
  "npm version": (text, mark) => withKey(text, ["version"], `7.0.${mark.replaceAll(/\D/g, "")}`),
  "npm install": (text, mark) => sortedDependencies(text, `^1.0.${mark.replaceAll(/\D/g, "")}`),
  "a changed value": (text) => withKey(text, ["scripts", "build"], "esbuild"),
  "items of one's own in generated lists": (text, mark) =>
    ["files", "keywords"].reduce((edited, key) => withItem(edited, key, `own-${mark}`), text),
  "a removed key": (text) => withKey(text, ["type"], undefined),
  "an object that becomes a text": (text) => withKey(text, ["repository"], "github:me/demo"),
  "keys in another order": reversed,
  "merged: CRLF line ends": (text) => text.replaceAll(/\r?\n/g, "\r\n"),
  "merged: a byte-order mark": (text) => (text.startsWith("\uFEFF") ? text : `\uFEFF${text}`),
  "merged: tabs": (text) => text.replaceAll(/^ +/gm, (spaces) => "\t".repeat(spaces.length / 2)),
  "merged: four spaces": (text) => text.replaceAll(/^(?: {2})+(?=\S)/gm, "$&$&"),
  "merged: no final newline": (text) => text.trimEnd(),
  "merged: comments": (text, mark) =>
    text.startsWith("{") ? text.replace(/\n(.*)$/m, ` // ${mark}\n/* "${mark}": 1 */$1`) : text,
  "merged: on one line": (text) =>
    text.startsWith("{") && !text.includes("//") ? text.replaceAll(/\r?\n\s*/g, " ") : text,
  "merged: a syntax error, or its repair": (text) =>
    text.endsWith("{{") ? text.slice(0, -2) : `${text}{{`,
  "a variable of one's own": (text, mark) =>
    text.startsWith("{") ? text : `${text}\nexport OWN_${mark.replaceAll("-", "_")}='x'`,
  "a variable that becomes a comment": (text) => text.replace(/^KEY=/m, "# KEY="),
};

/** What people do to a file that is merged by lines. */
export const LINE_EDITS: Readonly<Record<string, (text: string, mark: string) => string>> = {
  "lines of one's own at the start": (text, mark) => `own ${mark}\n${text.replace(/^\uFEFF/, "")}`,
  "lines of one's own at the end": (text, mark) => `${text}own ${mark}\nand ${mark}`,
  "lines of one's own among others": (text, mark) => text.replace("\n", `\nown ${mark}\n\n`),
  "a changed line": (text, mark) => text.replace(/^FROM .*$/m, `FROM mine:${mark}`),
  "another changed line": (text, mark) => text.replace(/^CMD [^\r\n]*/m, `CMD mine ${mark}`),
  "changed lines in a row": (text, mark) =>
    text.replaceAll(/^LABEL ([^\r\n]*)$/gm, `LABEL $1 ${mark}`),
  "a removed line": (text) => text.replace(/^WORKDIR .*\n/m, ""),
  "lines: CRLF line ends": (text) => text.replaceAll(/\r?\n/g, "\r\n"),
  "lines: mixed line ends": (text) => text.replace(/\r?\n/, "\r\n"),
  "lines: a byte-order mark": (text) => (text.startsWith("\uFEFF") ? text : `\uFEFF${text}`),
  "lines: no final newline": (text) => text.trimEnd(),
  "another text": (_, mark) => `another ${mark}\n`,
  "no lines at all": () => "",
};

function withKey(text: string, path: JSONPath, value: unknown): string {
  if (!text.startsWith("{")) return text;
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const formattingOptions = { insertSpaces: !text.includes("\t"), tabSize: 2, eol };
  try {
    return applyEdits(text, modify(text, path, value, { formattingOptions }));
  } catch {
    return text;
  }
}

function withItem(text: string, key: string, item: string): string {
  const root = parseTree(text);
  const list = root && findNodeAtLocation(root, [key]);
  return list?.type === "array" ? withKey(text, [key, AT_THE_END], item) : text;
}

/** npm rewrites the whole file: two spaces, dependencies sorted by name. */
function sortedDependencies(text: string, version: string): string {
  return rewritten(text, (value) => ({
    ...value,
    dependencies: { "a-library": version, ...(value["dependencies"] as object | undefined) },
  }));
}

function reversed(text: string): string {
  return rewritten(text, (value) => Object.fromEntries(Object.entries(value).reverse()));
}

function rewritten(
  text: string,
  change: (value: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
): string {
  try {
    const value = JSON.parse(text) as Record<string, unknown>;
    return `${JSON.stringify(change(value), null, 2)}\n`;
  } catch {
    return text;
  }
}
