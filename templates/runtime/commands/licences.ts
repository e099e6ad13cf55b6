import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** What a package's `package.json` says, as far as a licence needs it. */
interface About {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly author?: string | { readonly name: string };
}

/**
 * The texts of the licences of all packages that a bundle contains, since the licences demand that copies
 * include them. For a package without a licence file, the name of the licence and the author. A module that is itself a
 * bundle, `NAME.js`, has such texts in `NAME.licences.txt`.
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
    const { title, licence } = licenceIn(place);
    texts.set(title, licence);
    const contained = module.replace(/\.\w+$/, ".licences.txt");
    if (existsSync(contained)) texts.set(contained, readFileSync(contained, "utf8").trim());
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

function licenceIn(folder: string): { readonly title: string; readonly licence: string } {
  const { name = "", version = "", license, author } = aboutIn(folder) ?? {};
  const title = `${name} ${version}`;
  const file = readdirSync(folder).find((entry) => /^(?:licen[cs]e|copying)/i.test(entry));
  if (file !== undefined) {
    return { title, licence: `${title}\n\n${readFileSync(join(folder, file), "utf8").trim()}` };
  }
  const by = typeof author === "object" ? author.name : author;
  const stated = license === undefined ? NO_LICENCE : license;
  return { title, licence: `${title}\n\n${stated}${by === undefined ? "" : `, by ${by}`}` };
}

/** What stands in place of the licence of a package that states none. */
export const NO_LICENCE = "It states no licence.";
