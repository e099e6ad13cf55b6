import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { basename, extname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { create } from "tar";
import { readBuiltPage } from "../model/built-page.js";
import { packageRoot } from "../text/package-root.js";
import { joinModules } from "./join-modules.js";
import { KNOWN_TEXTS, textsOfContained } from "../../templates/runtime/commands/licences.js";

const run = promisify(execFile);

/** The folder of mcpwright, the sources of the runtime, the folder of the built package, and the packed one. */
const root = fileURLToPath(packageRoot);
const sources = join(root, "templates/runtime");
const built = join(root, "dist/runtime");
const packed = join(root, "dist/runtime.tgz");

/** Files of the package that are copied as they are, by their paths in mcpwright. */
const copied: Readonly<Record<string, string>> = {
  "templates/runtime/tsconfig.json": "tsconfig.json",
  "schemas/manifest.schema.json": "mcp.schema.json",
  "templates/runtime/mcp-part.schema.json": "mcp-part.schema.json",
  LICENSE: "LICENSE",
};

/** Compiles the sources in `src/` to `dist/`, so that source maps lead from one to the other within the package. */
const compiler = {
  extends: "../../tsconfig.json",
  include: ["src"],
};
const compilerOptions = {
  rootDir: "src",
  outDir: "dist",
  allowJs: true,
  checkJs: false,
  // `npm run build:tests`, which each landing runs, checks them.
  noCheck: true,
  types: ["node"],
  typeRoots: ["../../node_modules/@types"],
};

/**
 * What is compiled. The comments are in the declarations, which editors show, and in the sources;
 * in the code, too, they would add 90 kB to a package that each project keeps in its repository.
 */
const outputs = [
  { ...compilerOptions, declaration: false, removeComments: true },
  { ...compilerOptions, declaration: true, declarationMap: true, emitDeclarationOnly: true },
];

/**
 * Builds the package of the runtime in `dist/runtime/` and packs it to `dist/runtime.tgz`. Its version ends with a
 * hash of its content: package managers keep the former content of a tarball whose name and version stay the same.
 *
 * @param pageLicences the licences of the packages in the page for people
 * @throws Error if the sources do not compile
 */
export async function buildRuntimePackage(pageLicences: string): Promise<void> {
  await rm(built, { recursive: true, force: true });
  await mkdir(built, { recursive: true });
  await cp(sources, join(built, "src"), { recursive: true, filter: isPublished });
  await writePages();
  for (const [from, to] of Object.entries(copied)) await cp(join(root, from), join(built, to));
  await Promise.all(outputs.map(compile));
  const about = JSON.parse(await readFile(join(sources, "package.json"), "utf8")) as PackageFile;
  await joinModules(join(built, "dist"), entriesOf(about));
  for (const page of ["page/page-document", "apps/app-document"]) {
    await writeFile(join(built, `dist/${page}.licences.txt`), pageLicences);
  }
  await writeFile(join(built, "dist/commands", KNOWN_TEXTS), JSON.stringify(licencesInSdk()));
  const version = `${about.version}-${await hashOf(built)}`;
  await writeFile(
    join(built, "package.json"),
    `${JSON.stringify({ ...about, version }, undefined, 2)}\n`,
  );
  await pack(about);
  const packed = { version, sourceDate: await sourceDate() };
  await writeFile(join(root, "dist/runtime.json"), `${JSON.stringify(packed)}\n`);
  await linkPackage();
}

/** What is read of the package file of the runtime. */
interface PackageFile {
  readonly version: string;
  readonly files: readonly string[];
  readonly exports: Readonly<Record<string, string>>;
}

/** The modules that people import by the names of the package's entries, by their paths in `dist/`. */
function entriesOf({ exports }: PackageFile): ReadonlySet<string> {
  return new Set(Object.values(exports).map((path) => path.replace("./dist/", "")));
}

async function compile(options: object, index: number): Promise<void> {
  const config = join(built, `tsconfig.${index}.json`);
  await writeFile(config, JSON.stringify({ ...compiler, compilerOptions: options }));
  await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", config]);
  await rm(config);
}

/** The licences of the packages that the SDK was built from. Projects that bundle the SDK do not install these. */
function licencesInSdk(): Record<string, string> {
  const scope = join(root, "node_modules/@modelcontextprotocol");
  return textsOfContained(["core", "server"].map((name) => join(scope, name)));
}

/** True for folders and sources of the package, but not for its tests and what only they use. */
function isPublished(path: string): boolean {
  const own = relative(sources, path);
  return own !== "samples" && !/\.test\.ts$|\.json$|^samples\//.test(own);
}

/** The paths of all files of a folder, sorted. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((file) => join(file.parentPath, file.name)).sort();
}

/** The letter `h` and the first digits of a hash over the paths and contents of all files of a folder. */
async function hashOf(folder: string): Promise<string> {
  const hash = createHash("sha256");
  for (const path of await filesIn(folder)) {
    const content = await readFile(path);
    hash.update(`${relative(folder, path)} ${content.length}\n`).update(content);
  }
  // A part of a version that has digits only must not begin with 0.
  return `h${hash.digest("hex").slice(0, 8)}`;
}

/**
 * When the sources were committed, in UTC, so that of two builds with the same version the older one is known. Each build of
 * the same commit has the same. Undefined for sources without a history, unless `SOURCE_DATE_EPOCH` says it.
 */
async function sourceDate(): Promise<string | undefined> {
  const { SOURCE_DATE_EPOCH: stated } = process.env;
  const hasHistory = existsSync(join(root, ".git"));
  const seconds = stated ?? (hasHistory ? await commitTime() : "");
  const time = Number(seconds);
  return time > 0 ? new Date(time * 1_000).toISOString().replace(".000Z", "Z") : undefined;
}

/** The time of the last commit, in seconds; empty where git cannot tell. */
async function commitTime(): Promise<string> {
  const log = run("git", ["log", "-1", "--format=%ct"], { cwd: root });
  return (await log.catch(() => ({ stdout: "" }))).stdout.trim();
}

/** Puts the built pages in place of the modules of the sources that stand for them. */
async function writePages(): Promise<void> {
  const page = readBuiltPage();
  const module = `/** The page for people, as \`templates/page/\` makes it. */

/** Its Content-Security-Policy. */
export const policy: string = ${JSON.stringify(page.policy)};

/** The document, with its script and style. */
export const html: string = ${JSON.stringify(page.html)};
`;
  const result = `/** The page of MCP Apps, as \`templates/page/result/\` makes it. */
export const html: string = ${JSON.stringify(page.result)};
`;
  await writeFile(join(built, "src/page/page-document.ts"), module);
  await writeFile(join(built, "src/apps/app-document.ts"), result);
}

/** Packs the built files but for those that `files` of the package leaves out: the bytes of `npm pack`, in a third of its time. */
async function pack({ files }: PackageFile): Promise<void> {
  const leftOut = new Set(
    files.filter((path) => path.startsWith("!")).map((path) => path.slice(1)),
  );
  const paths = (await filesIn(built)).map((path) => relative(built, path).replaceAll(sep, "/"));
  // Similar files beside each other are compressed better.
  const order = (path: string): string => `${extname(path)} ${basename(path)} ${path}`;
  await create(
    {
      ...{ cwd: built, file: packed, prefix: "package", portable: true, gzip: { level: 9 } },
      mtime: new Date("1985-10-26T08:15:00Z"),
    },
    paths.filter((path) => !leftOut.has(path)).sort((a, b) => (order(a) < order(b) ? -1 : 1)),
  );
}

/** Lets the examples and the projects of tests find the package where node looks for packages. */
async function linkPackage(): Promise<void> {
  const scope = join(root, "node_modules/@mcpwright");
  await mkdir(scope, { recursive: true });
  await rm(join(scope, "runtime"), { recursive: true, force: true });
  await symlink(relative(scope, built), join(scope, "runtime"), "junction");
}
