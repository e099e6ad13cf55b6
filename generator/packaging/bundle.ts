import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { pieceTexts } from "../5-emit/validators/piece-texts.js";
import { packageRoot } from "../text/package-root.js";
import { licencesOf } from "./licences.js";
import { preparedModules, YAML_FILE } from "./prepared-modules.js";

/** The command as it is published. */
export const bundleFolder = fileURLToPath(new URL("dist/generator/bundle/", packageRoot));

/** What is installed beside mcpwright: large, and loaded only by the commands that need it. */
const installed = ["ts-morph", "prettier", "@eslint-community/regexpp"];

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
 * and stays late. Expects `dist/generator/` to be compiled.
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
    external: [...installed, YAML_FILE],
    banner: { js: banner },
    plugins: [late, prepared(await preparedModules())],
  });
  const library = await build({
    ...options,
    stdin: { contents: `module.exports = require("yaml");`, resolveDir: options.absWorkingDir },
    entryNames: basename(YAML_FILE, ".cjs"),
    outExtension: { ".js": ".cjs" },
    format: "cjs",
  });
  assertNamesKept(Object.keys(command.metafile.outputs));
  const inputs = [command, library].flatMap(({ metafile }) => Object.keys(metafile.inputs));
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

/** Generated validators name runtime pieces as they are called here. */
function assertNamesKept(outputs: readonly string[]): void {
  const code = outputs.map((path) => readFileSync(new URL(path, packageRoot), "utf8")).join("\n");
  const lost = [...pieceTexts().keys()].filter((name) => !code.includes(`function ${name}(`));
  if (lost.length > 0) throw new Error(`renamed in the bundle: ${lost.join(", ")}`);
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
