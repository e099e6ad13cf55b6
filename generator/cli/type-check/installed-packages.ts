import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import satisfies from "semver/functions/satisfies.js";
import validRange from "semver/ranges/valid.js";
import { RUNTIME_PACKAGE, VENDORED } from "../../5-emit/project/runtime-package.js";
import { isJsonObject, parsedJson } from "../../model/json.js";
import { readText } from "../read-text.js";

/** The packages that type-check a generated project and run it from source. */
const TOOLS = ["tsx", "typescript"];

/** The members of package.json that name packages. The runtime and what it needs are in the second. */
const SECTIONS = ["dependencies", "devDependencies"] as const;

/** A package that a project names, and that is not installed as it says. */
export interface UninstalledPackage {
  readonly name: string;
  /** The version or range that package.json wants. Absent for a tool that it does not name. */
  readonly wanted?: string;
  /** The version that is installed. Absent if none is. */
  readonly installed?: string;
}

/** The sorted names of the packages that type-checking and running a project needs: its dependencies and two tools. */
export function neededPackages(folder: string): readonly string[] {
  return [...new Set([...TOOLS, ...dependenciesIn(readPackageJson(folder)).keys()])].sort();
}

/** The text of a project's package.json. Undefined if it cannot be read, which `generate` has already reported. */
export function readPackageJson(folder: string): string | undefined {
  return readText(join(folder, "package.json"));
}

/** The dependencies of both kinds in the text of a package.json, with the versions that it wants. None if it is no JSON. */
export function dependenciesIn(text: string | undefined): ReadonlyMap<string, string> {
  const value = parsedJson((text ?? "").replace(/^\uFEFF/, ""));
  if (!isJsonObject(value)) return new Map();
  const entries = SECTIONS.flatMap((section) => {
    const listed = value[section];
    return isJsonObject(listed) ? Object.entries(listed) : [];
  });
  return new Map(entries.map(([name, wanted]) => [name, String(wanted)] as const));
}

/**
 * The packages that are not installed, or in another version than package.json wants, by their names.
 *
 * @param packageJson the text of the package.json, which may be that of a plan
 * @param folder the project's folder
 */
export function uninstalledPackages(
  packageJson: string | undefined,
  folder: string,
): UninstalledPackage[] {
  const wanted = dependenciesIn(packageJson);
  const names = [...new Set([...TOOLS, ...wanted.keys()])].sort();
  return names.flatMap((name) => {
    const version = wanted.get(name);
    const installed = installedVersion(name, folder);
    if (installed !== undefined && (version === undefined || fits(installed, version))) return [];
    return [
      {
        name,
        ...(version !== undefined && { wanted: version }),
        ...(installed !== undefined && { installed }),
      },
    ];
  });
}

/** The version of an installed package; empty if its package.json does not say it. Undefined if it is not installed. */
function installedVersion(name: string, folder: string): string | undefined {
  const path = findPackage(name, folder);
  return path === undefined ? undefined : (versionIn(path) ?? "");
}

/** The version in a package.json; undefined if it cannot be read or has none. */
export function versionIn(path: string): string | undefined {
  const value = parsedJson(readText(path) ?? "");
  const version = isJsonObject(value) ? value["version"] : undefined;
  return typeof version === "string" ? version : undefined;
}

/** True if an installed version fits, or if what is wanted does not say a version: a tag, a URL, a folder. */
function fits(installed: string, wanted: string): boolean {
  if (wanted.startsWith(VENDORED)) {
    return wanted === `${VENDORED}${installed}.tgz`;
  }
  const range = wanted.replace(/^npm:(?:@[^@]+|[^@]+)@/, "");
  if (validRange(range) === null || installed === "") return true;
  return satisfies(installed, range, { includePrerelease: true });
}

/** True for a package whose absence or other version makes errors of nearly all lines: the runtime. */
export function isRuntime({ name }: UninstalledPackage): boolean {
  return name === RUNTIME_PACKAGE;
}

/** How many packages a text names before it counts the others. */
const NAMED = 4;

/** What is not as package.json wants it, as a part of a sentence: `undici 7.30.2 is missing; jose is 5.0.0, not 6.2.17`. */
export function uninstalledText(packages: readonly UninstalledPackage[]): string {
  const missing = packages.filter(({ installed }) => installed === undefined);
  const others = packages.filter(({ installed }) => installed !== undefined);
  const names = missing.slice(0, NAMED).map(({ name, wanted }) => named(name, wanted));
  const more = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : "";
  const verb = missing.length === 1 ? "is" : "are";
  return [
    ...(missing.length === 0 ? [] : [`${names.join(", ")}${more} ${verb} missing`]),
    ...others
      .slice(0, NAMED)
      .map(
        ({ name, wanted = "", installed }) => `${name} is ${installed}, not ${shortened(wanted)}`,
      ),
    ...(others.length > NAMED ? [`${others.length - NAMED} more are of other versions`] : []),
  ].join("; ");
}

/** A package with its version, if that is one and not the place of a tarball. */
function named(name: string, wanted: string | undefined): string {
  return wanted === undefined || validRange(wanted) === null ? name : `${name} ${wanted}`;
}

function shortened(wanted: string): string {
  return wanted.startsWith(VENDORED) ? wanted.slice(VENDORED.length, -".tgz".length) : wanted;
}

/** The path of a package's `package.json`, as Node.js finds it from a folder. `undefined` if it is not installed. */
export function findPackage(name: string, folder: string): string | undefined {
  const path = join(folder, "node_modules", name, "package.json");
  if (existsSync(path)) return path;
  const parent = dirname(folder);
  return parent === folder ? undefined : findPackage(name, parent);
}
