import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { join, parse, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type BuildOptions, type BuildResult, type Plugin } from "esbuild";
import { BUILT_PAGE } from "../model/built-page.js";
import { packageRoot } from "../text/package-root.js";
import { licencesOf, NO_LICENCE } from "../../templates/runtime/commands/licences.js";
import { buildPage } from "./page.js";
import { precompiledTemplates } from "./precompiled-templates.js";

/** The folder of the published command. */
export const bundleFolder = fileURLToPath(new URL("dist/generator/bundle/", packageRoot));

/** Packages that npm installs with mcpwright. They are large, and only the commands that need them load them. */
const installedPackages = ["ts-morph", "prettier", "@eslint-community/regexpp"];

/**
 * Separate files beside the command. They are large, and `load-client.ts`, `load-servers.ts` and `load-tokenizer.ts` load
 * them on demand.
 */
const separateFiles = ["./mcp-client.js", "./servers.js", "./tokenizer.js"];

/** Local names are shortened where nearly all code is that of packages. Functions and classes keep theirs. */
const SHORT_NAMES: BuildOptions = { minifyIdentifiers: true, keepNames: true };

/** Replaces `import.meta.url`, which CommonJS does not have. */
const moduleUrl = `const moduleUrl = require("node:url").pathToFileURL(__filename).href;`;

/**
 * Bundles the command and its small libraries. Node.js needs longer to find and read some 300 modules
 * than mcpwright needs for an unchanged project. `main.js` switches on Node's compile cache and runs
 * `command.cjs`. The client of other servers, the servers of `preview` and `mcp`, and the web page of generated servers
 * are separate files. A module that the command imports dynamically runs only when it is imported, in the bundle too.
 *
 * @returns the licences of the packages in the page
 * @throws Error if a module cannot be found, or a package has no licence
 */
export async function bundle(): Promise<string> {
  await rm(bundleFolder, { recursive: true, force: true });
  const bundled = await Promise.all([
    bundleModule("packaging/bundled-main.ts", "main.js", ""),
    bundleModule("cli/main.ts", "command.cjs", `/* With templates ${templatesHash()} */`),
    bundleModule("import/server/mcp-client.ts", "mcp-client.js", "", SHORT_NAMES),
    bundleModule("cli/servers/servers.ts", "servers.js", "", SHORT_NAMES),
    bundleModule("listing/tokenizer.ts", "tokenizer.js", "", SHORT_NAMES),
  ]);
  const page = await buildPage(new URL(BUILT_PAGE, packageRoot));
  const inputs = [...bundled.map(({ metafile }) => metafile.inputs), page].flatMap(Object.keys);
  await writeFile(join(bundleFolder, "LICENCES.txt"), requiredLicences(inputs));
  await writeAuthorFiles();
  // CommonJS starts without the loader of ECMAScript modules.
  await writeFile(join(bundleFolder, "package.json"), `{ "type": "commonjs" }\n`);
  return requiredLicences(Object.keys(page));
}

/** What the server for authors finds beside it: its examples, and the command that its tools run, as a program in a folder. */
async function writeAuthorFiles(): Promise<void> {
  const manifests = fileURLToPath(new URL("examples/author/manifests", packageRoot));
  await cp(manifests, join(bundleFolder, "manifests"), { recursive: true });
  await mkdir(join(bundleFolder, "bin"));
  const program = '#!/usr/bin/env node\nrequire("../main.js");\n';
  await writeFile(join(bundleFolder, "bin/mcpwright"), program, { mode: 0o755 });
}

function requiredLicences(modules: readonly string[]): string {
  // The example and the runtime are this package's own.
  const foreign = modules.filter((path) => !/^(?:examples|templates)\//.test(path));
  const licences = licencesOf(foreign, fileURLToPath(packageRoot));
  if (licences.includes(NO_LICENCE)) throw new Error(`a package has no licence:\n${licences}`);
  return licences;
}

/** A hash of all templates. The command contains it, so that commands with different templates differ in their bytes. */
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

/** Takes the server for authors from its project, with the runtime that the other modules of the bundle have. */
const authorServer: Plugin = {
  name: "author-server",
  setup({ onResolve, resolve }) {
    const folder = fileURLToPath(packageRoot);
    onResolve({ filter: /^mcpwright-author$/ }, () => ({
      path: join(folder, "examples/author/src/generated/server.ts"),
    }));
    onResolve({ filter: /^@mcpwright\/runtime/ }, ({ path, kind }) => {
      const module = path.replace("@mcpwright/runtime", "./templates/runtime");
      return resolve(module, { resolveDir: folder, kind });
    });
  },
};

/**
 * Bundles a module with everything that it imports.
 *
 * @param comment a comment at the beginning of the file
 * @param options more settings of esbuild
 */
function bundleModule(
  entry: string,
  file: string,
  comment: string,
  options: BuildOptions = {},
): Promise<BuildResult<{ metafile: true }>> {
  const { name, ext } = parse(file);
  return build({
    absWorkingDir: fileURLToPath(packageRoot),
    entryPoints: [fileURLToPath(new URL(`generator/${entry}`, packageRoot))],
    outdir: bundleFolder,
    entryNames: name,
    outExtension: { ".js": ext },
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    // Prefers ECMAScript modules, from which esbuild can leave out code that is not used.
    mainFields: ["module", "main"],
    external: [...installedPackages, "./command.cjs", ...separateFiles],
    // Load installed packages with `require`: with `import`, Node.js 20 reads megabytes of them twice.
    supported: { "dynamic-import": false },
    define: { "import.meta.url": "moduleUrl" },
    banner: { js: `${comment}"use strict"; ${moduleUrl}` },
    // Each run reads less. Names are not shortened, so that stack traces in bug reports stay readable.
    minifyWhitespace: true,
    minifySyntax: true,
    // V8 stores a text that has only ASCII characters with one byte for each character.
    charset: "ascii",
    ...options,
    metafile: true,
    plugins: [precompiledTemplates, authorServer],
    // The settings of the server for authors extend those of a package that is not installed beside it.
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    logLevel: "warning",
  });
}
