import type { MemoryProject } from "./memory-project.js";

type Random = (below: number) => number;
type Edit = (text: string, mark: string) => string;

/** What people do to a handler, its test, a scaffold or a file of their own. */
const EDITS: readonly Edit[] = [
  (text, mark) => `${text}// ${mark}`,
  (text, mark) => `${text}\nexport const local${mark.length} = (x: number) => x;\n`,
  (text) => text.replaceAll(/\r?\n/g, "\r\n"),
  (text) => (text.startsWith("\uFEFF") ? text : `\uFEFF${text}`),
  (text) => text.replaceAll("  ", "\t"),
  (text) => (/^\uFEFF?#!/.test(text) ? text : text.replace(/^\uFEFF?/, "$&#!/usr/bin/env node\n")),
  (text) => text.trimEnd(),
  (text, mark) =>
    text.replace(/async \(input/, `async (input, /* ${mark} */ ctx2, renamed = input`),
  // A local that shadows the export, and one that is called like tools to come.
  (text) => text.replace(/=> \{(?=\r?\n)/, "=> {\n  const [alpha, betaTwo] = [input, gamma];"),
  (text) => text.replace(/export const (\w+)/, "const $1"),
  (text) => text.replace(/export const (\w+)/, "export const my$1"),
  (text) => text.replace(/export const \w+[^=]*=/, "export default"),
  (text) => text.replace(/export const (\w+)[^]*$/, 'export { impl as $1 } from "../impl.js";'),
  (text) => text.replace(/export const (\w+)([^]*)$/, "const $1$2\nexport { $1, $1 as other };\n"),
  (text) => `${text}\nexport const broken = {{;`,
  (text) => text.replace(/\nexport const broken = \{\{;/, ""),
  () => "",
];

const PERSONS_FILE = /^(src\/(tools|own|context)|test\/tools)/;

/** Some edits of some files, each a random one; now and then a file goes, or one of their own comes. */
export function editLikeAPerson(project: MemoryProject, random: Random, mark: string): void {
  for (const path of Object.keys(project.snapshot())) {
    if (!PERSONS_FILE.test(path) || random(3) > 0) continue;
    if (random(12) === 0) project.remove(path);
    else project.edit(path, (text) => EDITS[random(EDITS.length)]?.(text, mark) ?? text);
  }
  if (random(3) === 0) importHandler(project, random, mark);
}

/** A file of the person's own that imports a handler as it is now. */
function importHandler(project: MemoryProject, random: Random, mark: string): void {
  const handlers = Object.keys(project.snapshot()).filter((path) => path.startsWith("src/tools/"));
  const path = handlers[random(handlers.length)];
  if (path === undefined) return;
  const name = /export const (\w+)/.exec(project.text(path))?.[1] ?? "nothing";
  const module = path.replace("src/", "./").replace(/ts$/, "js");
  project.write(`src/own-${mark}.ts`, `import { ${name} } from '${module}'\r\n\tvoid ${name}`);
}
