import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildResult, type Plugin } from "esbuild";
import { pieceTexts } from "../5-emit/validators/piece-texts.js";
import { packageRoot } from "../text/package-root.js";
import { licencesOf } from "./licences.js";
import { AJV_FILE, preparedModules, YAML_FILE } from "./prepared-modules.js";

/** The command as it is published. */
export const bundleFolder = fileURLToPath(new URL("dist/generator/bundle/", packageRoot));

/** What is installed beside mcpwright: large, and loaded only by the commands that need it. */
const installed = ["ts-morph", "prettier", "@eslint-community/regexpp"];

const schemaCompiler = fileURLToPath(
  new URL("dist/generator/5-emit/validators/compile-schema.js", packageRoot),
);

/** For packages that call `require`, which ECMAScript modules have not. */
const banner = `import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);`;

/** What every run loads, with the usual commands: all of it is in one file. */
const core = ["run", "signals", "terminal"].map((name) =>
  fileURLToPath(new URL(`dist/generator/cli/${name}.js`, packageRoot)),
);

const options = {
  absWorkingDir: fileURLToPath(packageRoot),
  outdir: bundleFolder,
  bundle: true,
  platform: "node",
  target: "node20",
  // Less to read for each run; names stay, for reports of bugs and for generated validators.
  minifyWhitespace: true,
  minifySyntax: true,
  metafile: true,
  logLevel: "warning",
} as const;

/**
 * Puts the compiled command into a few files, since Node.js spends more time on finding and reading
 * some 270 modules than an unchanged project takes. What is imported late becomes a file of its own
 * and stays late, and so do the libraries that most runs need nothing of. Expects `dist/generator/` to be compiled.
 *
 * @throws when a module cannot be found, or a name that counts is lost
 */
export async function bundle(): Promise<void> {
  await rm(bundleFolder, { recursive: true, force: true });
  const command = await build({
    ...options,
    entryPoints: [fileURLToPath(new URL("dist/generator/cli/main.js", packageRoot))],
    splitting: true,
    format: "esm",
    // The form of a package whose parts can be found without running it.
    mainFields: ["module", "main"],
    external: [...installed, YAML_FILE, AJV_FILE],
    banner: { js: banner },
    plugins: [late, prepared(await preparedModules())],
  });
  const yaml = await library(YAML_FILE, `module.exports = require("yaml");`);
  const ajv = await library(AJV_FILE, `export * from ${JSON.stringify(schemaCompiler)};`);
  assertNamesKept(Object.keys(command.metafile.outputs));
  assertNoneRenamed(Object.keys(ajv.metafile.outputs));
  const inputs = [command, yaml, ajv].flatMap(({ metafile }) => Object.keys(metafile.inputs));
  await writeFile(join(bundleFolder, "LICENCES.txt"), licencesOf(inputs));
}

/**
 * Whatever is imported late imports the core first, which is loaded by then. Otherwise esbuild would
 * make a file of the modules that each few of those parts share, and finding and reading a file costs
 * more than the code in it.
 */
const late: Plugin = {
  name: "late parts",
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /./ }, async ({ kind, path, resolveDir }) => {
      if (kind !== "dynamic-import") return undefined;
      const found = await resolve(path, { kind: "import-statement", resolveDir });
      return found.external ? found : { path: found.path, namespace: "late" };
    });
    onLoad({ filter: /./, namespace: "late" }, ({ path }) => ({
      contents: [
        ...core.map((module) => `import ${JSON.stringify(module)};`),
        `export * from ${JSON.stringify(path)};`,
      ].join("\n"),
      resolveDir: dirname(path),
    }));
  },
};

/** A file that is loaded while other code waits for it, which only CommonJS can be. */
function library(file: string, contents: string): Promise<BuildResult<{ metafile: true }>> {
  return build({
    ...options,
    stdin: { contents, resolveDir: options.absWorkingDir },
    entryNames: basename(file, ".cjs"),
    outExtension: { ".js": ".cjs" },
    format: "cjs",
  });
}

/** Generated validators name runtime pieces as they are called here. */
function assertNamesKept(outputs: readonly string[]): void {
  const code = outputs.map((path) => readFileSync(new URL(path, packageRoot), "utf8")).join("\n");
  const lost = [...pieceTexts().keys()].filter((name) => !code.includes(`function ${name}(`));
  if (lost.length > 0) throw new Error(`renamed in the bundle: ${lost.join(", ")}`);
}

/** The same of code that has only some of the pieces: where two functions meet, one gets a number. */
function assertNoneRenamed(outputs: readonly string[]): void {
  const code = outputs.map((path) => readFileSync(new URL(path, packageRoot), "utf8")).join("\n");
  const pieces = pieceTexts();
  const names = [...code.matchAll(/function (\w+)\(/g)].map(([, name = ""]) => name);
  const renamed = names.filter(
    (name) => !pieces.has(name) && [...pieces.keys()].some((piece) => isNumbered(name, piece)),
  );
  if (renamed.length > 0) throw new Error(`renamed in the bundle: ${renamed.join(", ")}`);
}

function isNumbered(name: string, piece: string): boolean {
  return name.startsWith(piece) && /^\d+$/.test(name.slice(piece.length));
}

/** Puts other code in place of modules, by the ends of their paths. */
function prepared(modules: ReadonlyMap<string, string>): Plugin {
  return {
    name: "prepared modules",
    setup({ onLoad }) {
      for (const [path, contents] of modules) {
        const filter = new RegExp(`${path.split("/").join("[/\\\\\\\\]")}$`);
        onLoad({ filter }, () => ({ contents, resolveDir: fileURLToPath(packageRoot) }));
      }
    },
  };
}
