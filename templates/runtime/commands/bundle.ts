import { appendFileSync, readFileSync, realpathSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, resolve } from "node:path";
import type { BuildOptions, BuildResult, Metafile, Plugin } from "esbuild";
import { licencesOf } from "./licences.js";
import { importFromProject, projectRequire } from "./project-module.js";

type Esbuild = typeof import("esbuild");
type Build = Esbuild["build"];

/*
 * Writes the whole server into one file, such as `dist/bundle.mjs`, which starts faster than separate modules:
 * parts that the start does not need are not run, and the SDK, the largest part, is not even parsed.
 */

const sdk = "@modelcontextprotocol/server";

/** Names are not shortened, so that stack traces are readable. */
const options: BuildOptions = {
  bundle: true,
  platform: "node",
  target: "node20",
  minifySyntax: true,
  minifyWhitespace: true,
};

/** Node.js reads the SDK's text at each start, so that its local names are short. Functions and classes keep theirs. */
const sdkOptions: BuildOptions = {
  ...options,
  format: "cjs",
  minifyIdentifiers: true,
  keepNames: true,
};

/** The banner defines `require` for packages in the CommonJS format. */
export const serverOptions: BuildOptions = {
  ...options,
  format: "esm",
  banner: {
    js: "import { createRequire as bundleRequire } from 'node:module'; const require = bundleRequire(import.meta.url);",
  },
};

/** Matches code that locates files relative to its own module, which fails in a bundle: addons, computed `require`. */
const placeOfModule =
  /\b__(dir|file)name\b|\.node["'`]|\brequire\.resolve\b|\bcreateRequire\b|\bimport\.meta\.\w+name\b|\bimport\.meta\.url\b|\brequire\((?!\s*["'`])/;

/** An access to a module's place that a bundle, where there is none, leaves out. */
const guardedPlace =
  /\btypeof __(?:dir|file)name\s*!==?\s*(["'])undefined\1\s*\?\s*__(?:dir|file)name\s*:/g;

const isAddon = /\.node$/;

/** True if a module is an addon, or its code locates files relative to the module. Comments do not count. */
function locatesFiles({ transformSync }: Esbuild, path: string): boolean {
  if (isAddon.test(path)) return true;
  const text = readFileSync(path, "utf8");
  if (!placeOfModule.test(text)) return false;
  const loader = path.endsWith(".json") ? "json" : "ts";
  const { code } = transformSync(text, { loader, legalComments: "none", minifyWhitespace: true });
  return placeOfModule.test(code.replace(guardedPlace, ""));
}

/** Takes native addons, which no bundle can contain, for empty modules. The main module of a package may be one. */
const addons: Plugin = {
  name: "addons",
  setup({ onLoad }) {
    onLoad({ filter: isAddon }, () => ({ contents: "" }));
  },
};

type Dependencies = Readonly<Record<string, string>>;

/** The package file of the project. */
function projectPackage(): {
  readonly dependencies?: Dependencies;
  readonly devDependencies?: Dependencies;
  readonly optionalDependencies?: Dependencies;
  readonly peerDependencies?: Dependencies;
} {
  return JSON.parse(readFileSync("package.json", "utf8")) as ReturnType<typeof projectPackage>;
}

/** Packages of which the runtime imports code only when a handler needs it. */
const LATE_PACKAGES = ["mime"];

/**
 * Leaves such packages out where the project does not name them, also if another member of a workspace has them. What
 * needs one then says so.
 */
export const unnamedPackages: Plugin = {
  name: "unnamed-packages",
  setup({ onResolve, onLoad }) {
    const { dependencies, devDependencies } = projectPackage();
    const named = { ...dependencies, ...devDependencies };
    const unnamed = LATE_PACKAGES.filter((name) => !Object.hasOwn(named, name));
    onResolve({ filter: /^\w/ }, ({ path }) =>
      unnamed.some((name) => path === name || path.startsWith(`${name}/`))
        ? { path, namespace: "unnamed" }
        : undefined,
    );
    onLoad({ filter: /./, namespace: "unnamed" }, ({ path }) => ({
      contents: `throw new Error("package.json does not name ${path}");`,
    }));
  },
};

interface ImportedPackages {
  readonly parts: readonly string[];
  readonly outside: readonly string[];
}

/** The parts of the SDK that the server imports, and the packages that must stay outside of the bundle. */
export async function importedPackages(
  esbuild: Esbuild,
  entryPoints: readonly string[],
): Promise<ImportedPackages> {
  const external = [sdk, `${sdk}/*`];
  const analysis: BuildOptions = {
    entryPoints: [...entryPoints],
    external,
    plugins: [addons, unnamedPackages],
    metafile: true,
    write: false,
  };
  const built: BuildResult = await esbuild.build({ ...serverOptions, ...analysis });
  const { inputs, outputs } = built.metafile as Metafile;
  const paths = Object.values(outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  const parts = new Set(paths.filter((path) => path === sdk || path.startsWith(`${sdk}/`)));
  return { parts: [...parts], outside: packagesOutside(esbuild, inputs) };
}

/** The packages that the project imports and that need, directly or not, a module that locates files. */
function packagesOutside(esbuild: Esbuild, inputs: Metafile["inputs"]): string[] {
  // The runtime counts as the project's own code: it does not look for files by its own place.
  const isOfPackage = (path: string): boolean =>
    path.includes("node_modules/") && !path.includes("node_modules/@mcpwright/runtime/");
  const findsFiles = (path: string, visited: Set<string>): boolean => {
    const input = inputs[path];
    if (visited.has(path) || input === undefined) return false;
    visited.add(path);
    if (locatesFiles(esbuild, path)) return true;
    return input.imports.some((imported) => findsFiles(imported.path, visited));
  };
  const own = Object.keys(inputs).filter((path) => !isOfPackage(path));
  const imports = own
    .flatMap((path) => inputs[path]?.imports ?? [])
    .filter(({ path }) => isOfPackage(path));
  const outside = imports.filter(({ path }) => findsFiles(path, new Set()));
  const names = outside.map(({ original = "" }) => /^(?:@[^/]+\/)?[^/]+/.exec(original)?.[0] ?? "");
  return [...new Set(names)].sort();
}

/**
 * Stores the SDK as a string that is compiled at its first import. Requests on the fast path never import it, and
 * skipping a string takes much less time than parsing code.
 *
 * @param modules gets the paths of the SDK's modules
 * @param folderOf returns the folder from which the SDK is found
 */
export function lateSdk(
  build: Build,
  parts: readonly string[],
  modules: Set<string>,
  folderOf = runtimeFolder,
): Plugin {
  const all = "all";
  const contents = parts
    .map((part, index) => `export * as part${index} from "${part}";`)
    .join("\n");
  return {
    name: "late-sdk",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /./ }, ({ path, namespace }) =>
        parts.includes(path) || namespace === "late-sdk"
          ? { path, namespace: "late-sdk" }
          : undefined,
      );
      onLoad({ filter: /./, namespace: "late-sdk" }, async ({ path }) => {
        if (path !== all) {
          return { contents: `module.exports = require("${all}").part${parts.indexOf(path)};` };
        }
        const stdin = { contents, resolveDir: folderOf() };
        const late = { ...sdkOptions, stdin, metafile: true, write: false } as const;
        const { outputFiles, metafile } = await build(late);
        for (const path of modulesIn(metafile)) modules.add(path);
        return {
          contents: `
const { compileFunction } = process.getBuiltinModule("node:vm");
const code = ${JSON.stringify(outputFiles[0]?.text ?? "")};
const names = ["module", "exports", "require"];
compileFunction(code, names, { filename: "${sdk}" })(module, exports, require);`,
        };
      });
    },
  };
}

/** The paths of the modules of which something is in the output. */
function modulesIn({ outputs }: Metafile): string[] {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.keys(inputs).filter((path) => (inputs[path]?.bytesInOutput ?? 0) > 0),
  );
}

/** The folder of this package, from which the SDK is found however the project's packages are laid out. */
function runtimeFolder(): string {
  return dirname(realpathSync(projectRequire.resolve("@mcpwright/runtime/package.json")));
}

/**
 * Loads each built-in module of Node.js together with the module that imports it, instead of all of them at the start. It
 * becomes an ES module, of which esbuild keeps only the exports that are used. The members of a CommonJS module would all be
 * copied, which makes so much garbage that V8 collects it before the first answer.
 */
export const lateBuiltins: Plugin = {
  name: "late-builtins",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ path, kind }) =>
      kind === "import-statement" && isBuiltin(path)
        ? { path, namespace: "builtin", sideEffects: false }
        : undefined,
    );
    onLoad({ filter: /./, namespace: "builtin" }, ({ path }) => ({
      contents: moduleOfBuiltin(path),
    }));
  },
};

/** The code of an ES module with the exports of a built-in module. */
function moduleOfBuiltin(path: string): string {
  const names = Object.keys(process.getBuiltinModule(path) ?? {});
  const exported = names.filter((name) => name !== "default" && /^\w+$/.test(name));
  return [
    `const builtin = process.getBuiltinModule("${path}");`,
    "const get = (name) => builtin[name];",
    "export default builtin;",
    ...exported.map((name) => `const $${name} = /* @__PURE__ */ get("${name}");`),
    `export { ${exported.map((name) => `$${name} as ${name}`).join(", ")} };`,
  ].join("\n");
}

/** Puts equal modules of validators of a folder into the bundle once. */
export const sharedValidators: Plugin = {
  name: "shared-validators",
  setup({ onResolve }) {
    const paths = new Map<string, string>();
    onResolve({ filter: /\.validators\.ts$/ }, ({ path, resolveDir }) => {
      const own = resolve(resolveDir, path);
      const key = `${resolveDir}\n${readFileSync(own, "utf8")}`;
      if (!paths.has(key)) paths.set(key, own);
      return { path: paths.get(key) ?? own };
    });
  },
};

/** The last lines of the bundle, since it travels as one file. Quotes of plain ASCII keep it at a byte for each character. */
function licenceComment(licences: string): string {
  const text = licences
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u2018\u2019]/g, "'")
    .replaceAll("*/", "* /");
  return `/*! The licences of the packages in this file:\n\n${text}*/\n`;
}

/** Says which packages are not in the bundle, and which of them users of the project's package would not get. */
function tellOutside(outside: readonly string[], output: string): void {
  const why = `These packages find files by their own place, so they are not in ${output}.`;
  console.error(`${why} Install them where it runs: ${outside.join(", ")}`);
  const { dependencies, optionalDependencies, peerDependencies } = projectPackage();
  const installed = { ...dependencies, ...optionalDependencies, ...peerDependencies };
  const missing = outside.filter((name) => !Object.hasOwn(installed, name));
  if (missing.length === 0) return;
  const names = missing.join(", ");
  console.error(
    `"dependencies" in package.json must have these, or nobody else gets them: ${names}`,
  );
}

/**
 * Writes the server of the project in the current folder into one file.
 *
 * @param entry the module that serves @param output the file that is written
 */
export async function bundle(entry = "src/main.ts", output = "dist/bundle.mjs"): Promise<void> {
  const entryPoints = [entry];
  const esbuild = await importFromProject<Esbuild>("esbuild");
  const { build } = esbuild;
  try {
    const { parts, outside } = await importedPackages(esbuild, entryPoints);
    const external = outside.flatMap((name) => [name, `${name}/*`]);
    const modules = new Set<string>();
    const plugins = [
      unnamedPackages,
      lateSdk(build, parts, modules),
      lateBuiltins,
      sharedValidators,
    ];
    const written = { entryPoints, outfile: output, external, plugins, metafile: true } as const;
    const built = { ...serverOptions, ...written, logLevel: "info" } as const;
    const { metafile } = await build(built);
    for (const path of modulesIn(metafile)) modules.add(path);
    appendFileSync(output, licenceComment(licencesOf(modules, process.cwd())));
    if (outside.length > 0) tellOutside(outside, output);
  } catch (error) {
    // esbuild has already reported the errors in the sources.
    if (!(error instanceof Error && "errors" in error)) throw error;
    process.exitCode = 1;
  }
}
