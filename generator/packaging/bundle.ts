import { rm, writeFile } from "node:fs/promises";
import { join, parse } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions, type BuildResult, type Plugin } from "esbuild";
import { packageRoot } from "../text/package-root.js";
import { AROUND_MODULE } from "./code-cache.js";
import { licencesOf } from "./licences.js";
import { AJV_FILE, preparedModules } from "./prepared-modules.js";

/** The command as it is published. */
export const bundleFolder = fileURLToPath(new URL("dist/generator/bundle/", packageRoot));

/** What is installed beside mcpwright: large, and loaded only by the commands that need it. */
const installed = ["ts-morph", "prettier", "@eslint-community/regexpp"];

const schemaCompiler = fileURLToPath(
  new URL("dist/generator/5-emit/validators/schema-compiler.js", packageRoot),
);

/** Modules of the command name what lies beside them by their addresses, which CommonJS has not. */
const banner = `"use strict"; const moduleUrl = require("node:url").pathToFileURL(__filename).href;`;

const options = {
  absWorkingDir: fileURLToPath(packageRoot),
  outdir: bundleFolder,
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  // Less to read for each run; names stay, for reports of bugs and for generated validators.
  minifyWhitespace: true,
  minifySyntax: true,
  // ASCII only, of which V8 needs a byte each.
  charset: "ascii",
  metafile: true,
  logLevel: "warning",
} as const;

/**
 * Puts the compiled command into a few files, since Node.js spends more time on finding and reading
 * some 300 modules than an unchanged project takes: one with all that is its own, which `main.js` runs with
 * a cache of its compiled code, and the libraries that most runs need nothing of. What is imported late is run
 * late in there too. Expects `dist/generator/` to be compiled.
 *
 * @throws when a module cannot be found, or a name that counts is lost
 */
export async function bundle(): Promise<void> {
  await rm(bundleFolder, { recursive: true, force: true });
  const main = await program("packaging/packed-main.js", "main.js");
  const plugins = [prepared(await preparedModules())];
  const command = await program("cli/run-process.js", "command.cjs", plugins, AROUND_MODULE);
  const ajv = await library(AJV_FILE, `export * from ${JSON.stringify(schemaCompiler)};`);
  const inputs = [main, command, ajv].flatMap(({ metafile }) => Object.keys(metafile.inputs));
  await writeFile(join(bundleFolder, "LICENCES.txt"), licencesOf(inputs));
  // CommonJS starts without the loader of ECMAScript modules.
  await writeFile(join(bundleFolder, "package.json"), `{ "type": "commonjs" }\n`);
}

/**
 * A program of ours, by its compiled file.
 *
 * @param around what comes before and after it
 */
function program(
  entry: string,
  file: string,
  plugins: Plugin[] = [],
  around = { before: "", after: "" },
): Promise<Bundled> {
  return build({
    ...options,
    entryPoints: [fileURLToPath(new URL(`dist/generator/${entry}`, packageRoot))],
    ...named(file),
    // The form of a package whose parts can be found without running it.
    mainFields: ["module", "main"],
    external: [...installed, AJV_FILE],
    // `require` for what is installed: code that Node.js did not load itself may not import.
    supported: { "dynamic-import": false },
    define: { "import.meta.url": "moduleUrl" },
    banner: { js: around.before + banner },
    footer: { js: around.after },
    plugins,
  });
}

/** What is loaded while other code waits for it. */
function library(file: string, contents: string): Promise<Bundled> {
  const stdin = { contents, resolveDir: options.absWorkingDir };
  return build({ ...options, stdin, ...named(file) });
}

type Bundled = BuildResult<{ metafile: true }>;

function named(file: string): Pick<BuildOptions, "entryNames" | "outExtension"> {
  const { name, ext } = parse(file);
  return { entryNames: name, outExtension: { ".js": ext } };
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
