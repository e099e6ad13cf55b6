import { readdirSync, readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { isAbsolute, join, sep } from "node:path";
import {
  rollup,
  type GetManualChunk,
  type GetModuleInfo,
  type Plugin,
  type RollupOutput,
} from "rollup";

/** The folder of the joined modules, in the folder of the compiled ones. */
const JOINED = "joined";

/**
 * Modules that are joined with all that they import statically and that no earlier file has, by the names of the files. Every
 * server loads them, so that it costs little where another entry needs a part of a file only.
 */
const JOINED_WITH_ALL_IMPORTS: Readonly<Record<string, string>> = {
  core: "index.js",
  start: "start/start.js",
  "fast-path": "fast-path/connection.js",
};

/** Modules that are joined with those modules that nothing else imports, by the names of the files. */
const JOINED_WITH_OWN_IMPORTS: Readonly<Record<string, string>> = {
  stdio: "stdio/stdio.js",
  http: "http/endpoint.js",
};

/**
 * Joins modules that servers load together, since Node.js needs longer to find and read a module than to run it. All other
 * modules stay files at their places, and import the joined ones. Source maps still lead to the sources.
 *
 * @param folder the compiled modules, with source maps; the result replaces them
 * @param entries paths in the folder by which modules are imported from outside; they stay where their code is joined, too
 * @throws Error if a module imports one that does not exist
 */
export async function joinModules(folder: string, entries: ReadonlySet<string>): Promise<void> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const modules = files.filter((file) => file.endsWith(".js"));
  const output = await joinedOutput(folder, modules);
  const written = neededFiles(output, entries);
  for (const path of modules.flatMap((module) => [module, `${module}.map`])) {
    await rm(join(folder, path));
  }
  await mkdir(join(folder, JOINED));
  for (const file of output) {
    if (!written.has(file.fileName.replace(/\.map$/, ""))) continue;
    const content = file.type === "chunk" ? file.code : file.source;
    await writeFile(join(folder, file.fileName), content);
  }
}

/** The joined modules, and each module at its place. The code stays as the compiler of TypeScript wrote it. */
async function joinedOutput(
  folder: string,
  modules: readonly string[],
): Promise<RollupOutput["output"]> {
  const built = await rollup({
    input: Object.fromEntries(
      modules.map((path) => [path.replaceAll(sep, "/"), join(folder, path)]),
    ),
    external: (path) => !path.startsWith(".") && !isAbsolute(path),
    plugins: [sourceMapsOfCompiler],
    preserveEntrySignatures: "strict",
    treeshake: false,
    onwarn: ({ message }) => {
      throw new Error(`The modules of the runtime cannot be joined: ${message}`);
    },
  });
  const { output } = await built.generate({
    dir: folder,
    entryFileNames: "[name]",
    chunkFileNames: `${JOINED}/[name].js`,
    manualChunks: joinedFileOf(folder),
    onlyExplicitManualChunks: true,
    minifyInternalExports: false,
    hoistTransitiveImports: false,
    sourcemap: true,
    sourcemapExcludeSources: true,
  });
  await built.close();
  return output;
}

/** Tells the name of the joined file that contains a module; undefined for a module that is not joined. */
function joinedFileOf(folder: string): GetManualChunk {
  let names: ReadonlyMap<string, string> | undefined;
  return (module, { getModuleInfo }) => {
    names ??= namesOfJoinedFiles(folder, getModuleInfo);
    return names.get(module);
  };
}

/** The names of joined files, by the modules that are in them. */
function namesOfJoinedFiles(folder: string, infoOf: GetModuleInfo): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const add = (name: string, modules: Iterable<string>): void => {
    for (const module of modules) if (!names.has(module)) names.set(module, name);
  };
  for (const [name, root] of Object.entries(JOINED_WITH_ALL_IMPORTS)) {
    add(name, importedBy(join(folder, root), infoOf));
  }
  for (const [name, root] of Object.entries(JOINED_WITH_OWN_IMPORTS)) {
    add(name, importedOnlyBy(join(folder, root), infoOf));
  }
  return names;
}

/** A module, and all that it imports statically, directly or not. */
function importedBy(root: string, infoOf: GetModuleInfo): Set<string> {
  const modules = new Set<string>();
  const visit = (path: string): void => {
    const info = infoOf(path);
    if (info === null || info.isExternal || modules.has(path)) return;
    modules.add(path);
    for (const imported of info.importedIds) visit(imported);
  };
  visit(root);
  return modules;
}

/**
 * A module, and what is imported by it alone, directly or not. If a module that others import were in the same file, they would
 * load the whole file in vain.
 */
function importedOnlyBy(root: string, infoOf: GetModuleInfo): Set<string> {
  const modules = importedBy(root, infoOf);
  const isOwn = (path: string): boolean => {
    const { importers, dynamicImporters } = infoOf(path)!;
    return [...importers, ...dynamicImporters].every((importer) => modules.has(importer));
  };
  for (let size = Infinity; modules.size < size;) {
    size = modules.size;
    for (const path of modules) if (path !== root && !isOwn(path)) modules.delete(path);
  }
  return modules;
}

/** The files with code, and those that only export joined code but are imported, from outside or by another module. */
function neededFiles(
  output: RollupOutput["output"],
  entries: ReadonlySet<string>,
): ReadonlySet<string> {
  const chunks = output.filter((file) => file.type === "chunk");
  const imported = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]);
  const needed = new Set([...entries, ...imported]);
  return new Set(
    chunks
      .filter(({ moduleIds, fileName }) => moduleIds.length > 0 || needed.has(fileName))
      .map(({ fileName }) => fileName),
  );
}

/** Reads modules with the source maps that the compiler of TypeScript wrote. */
const sourceMapsOfCompiler: Plugin = {
  name: "source-maps-of-compiler",
  load: (path) => ({
    code: readFileSync(path, "utf8").replace(/^\/\/# sourceMappingURL=.*$/m, ""),
    map: readFileSync(`${path}.map`, "utf8"),
  }),
};
