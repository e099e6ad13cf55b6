import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { pieceTexts } from "../5-emit/validators/piece-texts.js";
import { packageRoot } from "../text/package-root.js";
import { licencesOf } from "./licences.js";
import { preparedModules } from "./prepared-modules.js";

/** The command as it is published. */
export const bundleFolder = fileURLToPath(new URL("dist/generator/bundle/", packageRoot));

/** What is installed beside mcpwright: large, and loaded only by the commands that need it. */
const installed = ["ts-morph", "prettier", "@eslint-community/regexpp"];

/** For packages that call `require`, which ECMAScript modules have not. */
const banner = `import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);`;

/**
 * Puts the compiled command into a few files, since Node.js spends more time on finding and reading
 * some 270 modules than an unchanged project takes. What is imported late becomes a file of its own
 * and stays late. Expects `dist/generator/` to be compiled.
 *
 * @throws when a module cannot be found, or a name that counts is lost
 */
export async function bundle(): Promise<void> {
  await rm(bundleFolder, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: fileURLToPath(packageRoot),
    entryPoints: [fileURLToPath(new URL("dist/generator/cli/main.js", packageRoot))],
    outdir: bundleFolder,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    // The form of a package whose parts can be found without running it.
    mainFields: ["module", "main"],
    external: installed,
    banner: { js: banner },
    plugins: [prepared(await preparedModules())],
    metafile: true,
    logLevel: "warning",
  });
  assertNamesKept(Object.keys(metafile.outputs));
  await writeFile(join(bundleFolder, "LICENCES.txt"), licencesOf(Object.keys(metafile.inputs)));
}

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
