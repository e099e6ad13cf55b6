import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join, parse, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildResult } from "esbuild";
import { packageRoot } from "../text/package-root.js";
import { licencesOf } from "./licences.js";
import { buildPage } from "./page.js";

/** The command as it is published. */
export const bundleFolder = fileURLToPath(new URL("dist/generator/bundle/", packageRoot));

/** What is installed beside mcpwright: large, and loaded only by the commands that need it. */
const installed = ["ts-morph", "prettier", "@eslint-community/regexpp"];

/** A file of its own beside the command: large, and loaded by few commands. `load-client.ts` names it. */
const mcpClient = "./mcp-client.js";

/** The same for the server of the preview. `load-preview.ts` names it. */
const previewServer = "./preview-server.js";

/** Modules of the command name what lies beside them by their addresses, which CommonJS has not. */
const moduleUrl = `const moduleUrl = require("node:url").pathToFileURL(__filename).href;`;

/**
 * Puts the compiled command and its small libraries into three files, since finding and reading some 300
 * modules takes Node.js longer than an unchanged project takes: `main.js` switches on Node's cache of
 * compiled code and runs `command.cjs`, which loads `mcp-client.js` where it connects to a server. What is imported late is run late in there too. The
 * page of servers is beside them. Expects `dist/generator/` to be compiled.
 *
 * @throws when a module cannot be found
 */
export async function bundle(): Promise<void> {
  await rm(bundleFolder, { recursive: true, force: true });
  const bundled = await Promise.all([
    packed("packaging/packed-main.js", "main.js", ""),
    packed("cli/main.js", "command.cjs", `/* With templates ${templatesHash()} */`),
    packed("import/server/mcp-client.js", "mcp-client.js", ""),
    packed("cli/preview/preview-server.js", "preview-server.js", ""),
  ]);
  const page = await buildPage(join(bundleFolder, "page.json"));
  const inputs = [...bundled.map(({ metafile }) => metafile.inputs), page].flatMap(Object.keys);
  await writeFile(join(bundleFolder, "LICENCES.txt"), licencesOf(inputs));
  // CommonJS starts without the loader of ECMAScript modules.
  await writeFile(join(bundleFolder, "package.json"), `{ "type": "commonjs" }\n`);
}

/** Stands in the command, so that its bytes tell it from one with other templates. */
function templatesHash(): string {
  const hash = createHash("sha256");
  for (const name of ["templates", "schemas"]) {
    const folder = fileURLToPath(new URL(name, packageRoot));
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    for (const path of files.map((file) => join(file.parentPath, file.name)).sort()) {
      hash.update(relative(folder, path)).update(readFileSync(path));
    }
  }
  return hash.digest("hex");
}

/**
 * Packs a compiled module with all that it imports.
 *
 * @param comment what it begins with
 */
function packed(
  entry: string,
  file: string,
  comment: string,
): Promise<BuildResult<{ metafile: true }>> {
  const { name, ext } = parse(file);
  return build({
    absWorkingDir: fileURLToPath(packageRoot),
    entryPoints: [fileURLToPath(new URL(`dist/generator/${entry}`, packageRoot))],
    outdir: bundleFolder,
    entryNames: name,
    outExtension: { ".js": ext },
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    // The form of a package whose parts can be found without running it.
    mainFields: ["module", "main"],
    external: [...installed, "./command.cjs", mcpClient, previewServer],
    // `require` for what is installed: for an import, Node.js 20 reads megabytes of it twice.
    supported: { "dynamic-import": false },
    define: { "import.meta.url": "moduleUrl" },
    banner: { js: `${comment}"use strict"; ${moduleUrl}` },
    // Less to read for each run; names stay, for reports of bugs.
    minifyWhitespace: true,
    minifySyntax: true,
    // ASCII only, of which V8 needs a byte each.
    charset: "ascii",
    metafile: true,
    logLevel: "warning",
  });
}
