import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { sourcesOf } from "./source-maps.js";

/** What a package's `package.json` says, as far as a licence needs it. */
interface About {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly author?: string | { readonly name: string };
}

/** The licence of a package under its name and version. */
interface Licence {
  readonly title: string;
  readonly text: string;
}

/**
 * The texts of the licences of all packages that a bundle contains, since the licences demand that copies
 * include them. For a package without a licence file, the name of the licence and the author. A module may contain
 * others: a module that is itself a bundle, `NAME.js`, has such texts in `NAME.licences.txt`, and source maps name the
 * packages that a module was built from.
 *
 * @param modules paths of the bundle's modules, relative to the folder
 * @param folder the project that the bundle is of; its own licence is not among them
 */
export function licencesOf(modules: Iterable<string>, folder: string): string {
  const own = resolve(folder);
  const texts = new Map<string, string>();
  for (const path of modules) {
    const module = resolve(own, path);
    const place = packageOf(module);
    if (place === undefined || place === own) continue;
    const { title, text } = licenceIn(place);
    texts.set(title, text);
    for (const contained of containedIn(module, place, title))
      texts.set(contained.title, contained.text);
    const listed = module.replace(/\.\w+$/, ".licences.txt");
    if (existsSync(listed)) texts.set(listed, readFileSync(listed, "utf8").trim());
  }
  const titles = [...texts.keys()].sort();
  return titles.map((title) => `${texts.get(title)}\n`).join("\n");
}

/**
 * The folder of the package that has a module. Folders within an installed package may have a `package.json` too; a
 * package that is a link is the nearest folder whose `package.json` has a name.
 */
function packageOf(module: string): string | undefined {
  const installed = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/.exec(module)?.[0];
  if (installed !== undefined) return installed;
  for (let folder = dirname(module); dirname(folder) !== folder; folder = dirname(folder)) {
    if (aboutIn(folder)?.name !== undefined) return folder;
  }
  return undefined;
}

function aboutIn(folder: string): About | undefined {
  const file = join(folder, "package.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as About) : undefined;
}

function licenceIn(folder: string): Licence {
  const { name = "", version = "", license, author } = aboutIn(folder) ?? {};
  const title = `${name} ${version}`;
  const files = licenceFilesIn(folder);
  if (files.length > 0) {
    const texts = files.map((file) => readFileSync(file, "utf8").trim());
    return { title, text: [title, ...texts].join("\n\n") };
  }
  const by = typeof author === "object" ? author.name : author;
  const stated = license === undefined ? NO_LICENCE : license;
  return { title, text: `${title}\n\n${stated}${by === undefined ? "" : `, by ${by}`}` };
}

const LICENCE_NAME = /^(?:un)?licen[cs]e|^copying|^notice|^third[-_ ]?party/i;

/** Modules and data may have such names too. */
const IS_CODE = /\.(?:[cm]?[jt]sx?|json|map|html)$/i;

/** The files of a package that its licences demand in copies: licences and notices, which may be in a folder. */
function licenceFilesIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const named = entries.filter(({ name }) => LICENCE_NAME.test(name) && !IS_CODE.test(name));
  const paths = named.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return [path];
    const inside = readdirSync(path, { withFileTypes: true }).filter((file) => file.isFile());
    return inside.map((file) => join(path, file.name)).filter((file) => !IS_CODE.test(file));
  });
  return paths.sort();
}

/** What stands in place of the licence of a package that states none. */
export const NO_LICENCE = "It states no licence.";

/**
 * The licences of the packages that a module was built from.
 *
 * @param folder the package of the module
 * @param owner its name and version
 */
function containedIn(module: string, folder: string, owner: string): Licence[] {
  const found = new Map<string, Licence>();
  for (const source of sourcesOf(module)) {
    const name = packageNameIn(source);
    if (name === undefined || owner.startsWith(`${name} `)) continue;
    const title = `${name}${versionIn(source, name)}, in ${owner}`;
    if (!found.has(title))
      found.set(title, { title, text: `${title}\n\n${containedText(name, folder)}` });
  }
  return [...found.values()];
}

/** The name of the installed package that a source belongs to. */
export function packageNameIn(source: string): string | undefined {
  return /^.*\bnode_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/
    .exec(source)?.[1]
    ?.replace("\\", "/");
}

/** The version with a space before it, which the folders of pnpm tell. */
function versionIn(source: string, name: string): string {
  const folder = /[\\/]\.pnpm[\\/]([^\\/]+)[\\/]/.exec(source)?.[1] ?? "";
  const start = `${name.replace("/", "+")}@`;
  const version = folder.startsWith(start) ? folder.slice(start.length) : "";
  return version === "" ? "" : ` ${version.replace(/[_(].*/, "")}`;
}

/** The text of a licence, from an installed package of that name or from those that this package knows. */
function containedText(name: string, folder: string): string {
  const installed = installedNear(name, folder);
  if (installed !== undefined) return withoutTitle(licenceIn(installed));
  return knownTexts()[name] ?? `Its licence is not in the package that contains it.`;
}

function withoutTitle({ title, text }: Licence): string {
  return text.slice(title.length).trim();
}

/** The folder of a package as a module in this folder finds it. */
function installedNear(name: string, folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const place = join(at, "node_modules", name);
    if (existsSync(join(place, "package.json"))) return place;
    if (dirname(at) === at) return undefined;
  }
}

/** The file beside this module with texts of licences of packages that are not installed in projects, by their names. */
export const KNOWN_TEXTS = "contained-licences.json";

let embeddedTexts: Readonly<Record<string, string>> | undefined;

function knownTexts(): Readonly<Record<string, string>> {
  const file = new URL(KNOWN_TEXTS, import.meta.url);
  embeddedTexts ??= existsSync(file)
    ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, string>)
    : {};
  return embeddedTexts;
}

/**
 * The texts of the licences of all packages that the modules of some packages were built from, by their names.
 *
 * @param packages the folders of the packages
 * @throws Error if such a package is not installed, or states no licence
 */
export function textsOfContained(packages: readonly string[]): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const folder of packages) {
    for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      if (!/\.[cm]?js$/.test(path)) continue;
      for (const source of sourcesOf(join(folder, path))) {
        const name = packageNameIn(source);
        if (name === undefined || name in texts) continue;
        const place = installedNear(name, folder);
        const text = place === undefined ? NO_LICENCE : withoutTitle(licenceIn(place));
        if (text === NO_LICENCE)
          throw new Error(`${folder} contains ${name}, whose licence is not here`);
        texts[name] = text;
      }
    }
  }
  return texts;
}
