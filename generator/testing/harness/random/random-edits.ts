import type { MemoryProject } from "../projects/memory-project.js";
import { LINE_EDITS, MERGED_FILE_EDITS } from "./random-merged-edits.js";

/** A whole number, at least 0 and below the argument. */
export type Random = (below: number) => number;

/** An edit of one file of a project. It does nothing if the file does not have the code that it changes. */
export type Edit = (project: MemoryProject, path: string, mark: string) => void;

/** A change of a file's text; `mark` is unlike that of every other edit. */
type TextEdit = (text: string, mark: string) => string;

/** The stub's line, as long as nobody has rewritten it. */
const STUB_LINE = /export const (\w+): ToolHandler<"([^"]*)"> = async \(input, ctx\) => \{/;
const BROKEN_END = "\nexport const broken = {{;";
const NOT_UTF8 = Buffer.from([0xe9, 0xff, 0x0a]);

const FORM_EDITS: Readonly<Record<string, TextEdit>> = {
  "a comment at the end, without a line end": (text, mark) => `${text}// ${mark}`,
  "a second export": (text, mark) =>
    `${text}\nexport const local${mark.length} = (x: number) => x;\n`,
  "CRLF line ends": (text) => text.replaceAll(/\r?\n/g, "\r\n"),
  "mixed line ends": (text) => text.replace(/\r?\n/, "\r\n"),
  "a byte-order mark": (text) => (text.startsWith("\uFEFF") ? text : `\uFEFF${text}`),
  tabs: (text) => text.replaceAll("  ", "\t"),
  "a shebang": (text) =>
    /^\uFEFF?#!/.test(text) ? text : text.replace(/^\uFEFF?/, "$&#!/usr/bin/env node\n"),
  "no final newline": (text) => text.trimEnd(),
  "comments in odd places": (text, mark) =>
    text.replace(
      STUB_LINE,
      `/* ${mark} */export/* a */const // $1\n $1/* <"$2"> */:/* c */ToolHandler/* d */</* e */"$2"/* $1 */>=/**/async (input, ctx) /* f */ => { // {`,
    ),
  "a comment among the parameters": (text, mark) =>
    text.replace("async (input", `async (input, /* ${mark} */ ctx2, renamed = input`),
  "letters beyond ASCII": (text) => `${text}\nconst größe = "été 🌧 \u2028"; /* ñ */ void größe;`,
};

const CODE_EDITS: Readonly<Record<string, TextEdit>> = {
  // A local that shadows the export, and one that is called like tools to come.
  "locals of the same name": (text) =>
    text.replace(/=> \{(?=\r?\n)/, "=> {\n  const [alpha, betaTwo] = [input, gamma];"),
  "the name in texts, patterns and templates": (text) =>
    text.replace(STUB_LINE, "$&\n  void [`$1 ${input} $2`, '$2', /$1$2/g, { $1: 1 }.$1];"),
  "a helper": (text, mark) => `function helper() {\n  return "${mark}";\n}\n${text}`,
  "an export that lost its keyword": (text) => text.replace(/export const (\w+)/, "const $1"),
  "a renamed export": (text) => text.replace(/export const (\w+)/, "export const my$1"),
  "a default export": (text) => text.replace(/export const \w+[^=]*=/, "export default"),
  "a default export by name": (text) =>
    text.replace(/export const (\w+)([^]*)$/, "const $1$2\nexport default $1;\n"),
  "a re-export": (text) =>
    text.replace(/export const (\w+)[^]*$/, 'export { impl as $1 } from "../impl.js";'),
  "a re-export of everything": (text) =>
    text.replace(/export const \w+[^]*$/, 'export * from "../impl.js";\n'),
  "an export list": (text) =>
    text.replace(/export const (\w+)([^]*)$/, "const $1$2\nexport { $1, $1 as other };\n"),
  "a class as the handler": (text) =>
    text.replace(/export const (\w+)[^]*$/, "export class $1 {\n  static other = $1.name;\n}\n"),
  "a method of a class as the handler": (text) =>
    text.replace(
      STUB_LINE,
      'class Work {\n  run: ToolHandler<"$2"> = async () => "";\n}\nexport const $1: ToolHandler<"$2"> = new Work().run;\nexport const unused$1 = async () => {',
    ),
  "a function as the handler": (text) =>
    text.replace(STUB_LINE, "export async function $1(input: unknown, ctx: unknown) {"),
  "a syntax error": (text) => text + BROKEN_END,
  "conflict markers": (text, mark) => `<<<<<<< HEAD\n${text}\n=======\n// ${mark}\n>>>>>>> other\n`,
  "nothing left": () => "",
};

const FILE_EDITS: Readonly<Record<string, Edit>> = {
  "bytes that are no UTF-8": (project, path) => {
    project.write(path, Buffer.concat([project.bytes(path), NOT_UTF8]));
  },
  "a deleted file": (project, path) => project.remove(path),
  "a file that moves": (project, path, mark) => {
    project.write(`src/own/${mark}/${path.split("/").at(-1)}`, project.bytes(path));
    project.remove(path);
  },
  "a file that moves and is re-exported from its place": (project, path, mark) => {
    const name = /export const (\w+)/.exec(project.text(path))?.[1] ?? "nothing";
    project.write(`src/own/${mark}-moved.ts`, project.bytes(path));
    project.write(path, `export { ${name} } from "../own/${mark}-moved.js";`);
  },
  "a file of their own that imports a handler": (project, path, mark) => {
    const name = /export const (\w+)/.exec(project.text(path))?.[1] ?? "nothing";
    const module = path.replace(/^(src|test)\//, "./").replace(/ts$/, "js");
    project.write(`src/own-${mark}.ts`, `import { ${name} } from '${module}'\r\n\tvoid ${name}`);
  },
};

/** What people do after one of the edits above: they are tried first. */
const FOLLOWING_EDITS: Readonly<Record<string, Edit>> = {
  "a syntax error that is repaired": ofText((text) => text.replace(BROKEN_END, "")),
  "conflict markers that are resolved": ofText((text) =>
    text.replace(/^<<<<<<< HEAD\n([^]*)\n=======\n[^]*$/, "$1"),
  ),
  "bytes that are no UTF-8, taken out": (project, path) => {
    const bytes = Buffer.from(project.bytes(path));
    const at = bytes.indexOf(NOT_UTF8);
    if (at < 0) return;
    project.write(path, Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 3)]));
  },
  "a helper that moves to its own file": (project, path, mark) => {
    const helper = /function helper\(\) \{[^}]*\}\n/.exec(project.text(path))?.[0];
    if (helper === undefined) return;
    project.write(`src/own/helper-${mark}.ts`, `export ${helper}`);
    const imported = `import { helper } from "../own/helper-${mark}.js";\n`;
    project.edit(path, (text) => text.replace(helper, imported));
  },
};

function ofText(edit: TextEdit): Edit {
  return (project, path, mark) => {
    const text = project.text(path);
    const changed = edit(text, mark);
    if (changed !== text) project.write(path, changed);
  };
}

/** What people do to a handler, its test, a scaffold or a file of their own, by name. */
export const SOURCE_EDITS: ReadonlyMap<string, Edit> = new Map([
  ...Object.entries({ ...FORM_EDITS, ...CODE_EDITS }).map(
    ([name, edit]) => [name, ofText(edit)] as const,
  ),
  ...Object.entries(FILE_EDITS),
  ...Object.entries(FOLLOWING_EDITS),
]);

/** What people do to `package.json` and `.env.example`, by name. */
export const MERGED_EDITS: ReadonlyMap<string, Edit> = new Map(
  Object.entries(MERGED_FILE_EDITS).map(([name, edit]) => [name, ofText(edit)] as const),
);

/** What people do to a file that is merged by lines, by name. */
export const TEXT_EDITS: ReadonlyMap<string, Edit> = new Map<string, Edit>([
  ...Object.entries(LINE_EDITS).map(([name, edit]) => [name, ofText(edit)] as const),
  ["a deleted text", (project, path) => project.remove(path)],
]);

const TEXT_FILE = "Dockerfile";
const PERSONS_FILE = /^(src\/(tools|own|context)|test\/tools)/;
const MERGED_FILE = /^(package\.json|\.env\.example)$/;

/**
 * Some edits of some files, each a random one.
 *
 * @param done counts, by name, the edits that changed something
 */
export function editLikeAPerson(
  project: MemoryProject,
  random: Random,
  mark: string,
  done: Map<string, number>,
): void {
  let number = 0;
  for (const path of Object.keys(project.snapshot())) {
    if (path === TEXT_FILE) continue;
    const edits = editsOf(path, random);
    if (random(3) > 0) continue;
    for (const [name, edit] of edits) {
      const before = project.generation;
      edit(project, path, `${mark}-${number++}`);
      if (project.generation === before) continue;
      done.set(name, (done.get(name) ?? 0) + 1);
      break;
    }
  }
}

/** Sometimes an edit of the file that is merged by lines; counted in `done`. */
export function editText(
  project: MemoryProject,
  random: Random,
  mark: string,
  done: Map<string, number>,
): void {
  if (!project.has(TEXT_FILE) || random(2) > 0) return;
  for (const [name, edit] of oneOf(TEXT_EDITS, random)) {
    const before = project.generation;
    edit(project, TEXT_FILE, mark);
    if (project.generation > before) done.set(name, (done.get(name) ?? 0) + 1);
  }
}

/** Returns an edit that continues an earlier one if the file has it, and otherwise a random edit. */
function editsOf(path: string, random: Random): readonly (readonly [string, Edit])[] {
  if (MERGED_FILE.test(path)) return oneOf(MERGED_EDITS, random);
  if (!PERSONS_FILE.test(path)) return [];
  const following = random(2) > 0 ? Object.entries(FOLLOWING_EDITS) : [];
  return [...following, ...oneOf(SOURCE_EDITS, random)];
}

function oneOf(
  edits: ReadonlyMap<string, Edit>,
  random: Random,
): readonly (readonly [string, Edit])[] {
  const found = [...edits][random(edits.size)];
  return found === undefined ? [] : [found];
}
