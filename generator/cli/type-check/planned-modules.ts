import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { FileSystemHost, Project, ts as TypeScript } from "ts-morph";
import { RUNTIME_PACKAGE } from "../../5-emit/project/runtime-package.js";
import type { FileOperation } from "../../model/plan.js";
import { decodeText } from "../../text/line-ends.js";
import { findingOf, type CheckedModule, type CompilerFinding } from "./compiler-findings.js";
import {
  findPackage,
  isRuntime,
  readPackageJson,
  uninstalledPackages,
} from "./installed-packages.js";
import { readConfiguration } from "./project-configuration.js";
import { createPackageProgram } from "./package-program.js";
import { isRegularFile, readRegularFile } from "./regular-files.js";

/** If one of these is missing, or the runtime has another version, nearly every line of a handler is an error. */
const NEEDED_PACKAGES = [RUNTIME_PACKAGE, "@types/node"];

/**
 * Type-checks modules of a person as they will be after a plan. It works in memory, with the project's own
 * configuration and dependencies, but with the compiler of this package: nothing of the project runs. Other modules are
 * not checked: they are generated, or the plan does not affect them.
 *
 * @param outDir absolute path of the project
 * @param paths the modules to check: their paths after the plan, relative to the project
 * @returns the result for each path, without errors that a package causes which is not installed, and for each file of
 *   the configuration with errors; `undefined` if the project's dependencies are not installed,
 *   or its tsconfig.json cannot be read
 */
export async function checkPlannedModules(
  outDir: string,
  operations: readonly FileOperation[],
  paths: readonly string[],
): Promise<ReadonlyMap<string, CheckedModule> | undefined> {
  if (NEEDED_PACKAGES.some((name) => findPackage(name, outDir) === undefined)) return undefined;
  const uninstalled = uninstalledPackages(packageJsonAfter(outDir, operations), outDir);
  if (uninstalled.some(isRuntime)) return undefined;
  const missing = new Set(uninstalled.map(({ name }) => name));
  const morph = await import("ts-morph");
  const text = configurationAfter(outDir, operations);
  const configuration = readConfiguration(morph.ts, outDir, text);
  // Without the options, nearly every import of the project would be an error.
  if (configuration === undefined) return undefined;
  const { options, faulty } = configuration;
  const packages = new Set<string>();
  const disk = new morph.Project({ skipLoadingLibFiles: true }).getFileSystem();
  const project = new morph.Project({
    fileSystem: regularFiles(disk, packages),
    compilerOptions: options,
    skipAddingFilesFromTsConfig: true,
    skipFileDependencyResolution: true,
  });
  for (const operation of operations) overlay(project, outDir, operation);
  const files = paths.map((path) => {
    const file = project.addSourceFileAtPathIfExists(join(outDir, path));
    return [path, file] as const;
  });
  try {
    const program = createPackageProgram(morph.ts, project, outDir);
    const checked = files.flatMap(([path, file]) => {
      const module = file && program.getSourceFile(file.getFilePath());
      return module === undefined ? [] : [[path, check(program, module, missing)] as const];
    });
    return new Map([...faulty, ...checked]);
  } catch (error) {
    const failing = [...packages].find((path) => failsToResolve(morph.ts, path, options));
    if (failing === undefined) throw error;
    return new Map([...faulty, [relative(outDir, failing), failingPackage(failing, error)]]);
  }
}

/** True if the compiler itself fails when it looks for modules of a package, as with `typesVersions: {"*": null}`. */
function failsToResolve(
  ts: typeof TypeScript,
  packageJson: string,
  options: TypeScript.CompilerOptions,
): boolean {
  const [, folder = "", name = ""] =
    /^(.*)\/node_modules\/(.+)\/package\.json$/.exec(packageJson) ?? [];
  try {
    for (const specifier of [name, `${name}/part`]) {
      ts.resolveModuleName(specifier, `${folder}/importer.ts`, options, ts.sys);
    }
    return false;
  } catch {
    return true;
  }
}

function failingPackage(packageJson: string, error: unknown): CheckedModule {
  const name = packageJson.slice(
    packageJson.lastIndexOf("/node_modules/") + "/node_modules/".length,
  );
  const message = `the package ${dirname(name)} makes the compiler itself fail, so that no handler was checked: ${String(error)}`;
  const finding = { line: 1, column: 1, code: "tsc", message };
  return { findings: [finding], text: readRegularFile(packageJson) ?? "" };
}

/**
 * The files of the disk, for a compiler to which everything but regular files is missing, or empty if it insists.
 *
 * @param packages gets the paths of the packages' package.json that the compiler reads
 */
function regularFiles(disk: FileSystemHost, packages: Set<string>): FileSystemHost {
  const readFileSync: FileSystemHost["readFileSync"] = (path, encoding) => {
    if (path.endsWith("/package.json")) packages.add(path);
    return existsSync(path) && !isRegularFile(path) ? "" : disk.readFileSync(path, encoding);
  };
  return Object.assign(Object.create(disk) as FileSystemHost, {
    fileExistsSync: isRegularFile,
    readFileSync,
  });
}

/** The text of the tsconfig.json that the plan writes. If it writes none, of the one on the disk. */
function configurationAfter(outDir: string, operations: readonly FileOperation[]): string {
  const planned = operations.find(
    (operation) => operation.kind === "write" && operation.path === "tsconfig.json",
  );
  if (planned?.kind === "write") return textOf(planned.content);
  return readRegularFile(join(outDir, "tsconfig.json")) ?? "{}";
}

/** Applies one step of the plan to the modules in memory. */
function overlay(project: Project, outDir: string, operation: FileOperation): void {
  if (!/\.[cm]?ts$/.test(operation.path)) return;
  const path = join(outDir, operation.path);
  switch (operation.kind) {
    case "write":
      project.createSourceFile(path, textOf(operation.content), { overwrite: true });
      return;
    case "move": {
      const from = join(outDir, operation.from);
      project.createSourceFile(path, readRegularFile(from) ?? "", { overwrite: true });
      project.addSourceFileAtPathIfExists(from)?.delete();
      return;
    }
    case "delete":
      project.addSourceFileAtPathIfExists(path)?.delete();
  }
}

function textOf(bytes: Uint8Array): string {
  return decodeText(bytes)?.text ?? "";
}

/** The package.json that the plan writes. If it writes none, the one on the disk. */
function packageJsonAfter(
  outDir: string,
  operations: readonly FileOperation[],
): string | undefined {
  const planned = operations.find(({ path }) => path === "package.json");
  return planned?.kind === "write" ? textOf(planned.content) : readPackageJson(outDir);
}

/** The compiler's messages that a module, or its types, cannot be found. They quote the specifier. */
const NOT_FOUND = new Set([2307, 2792, 2882, 7016]);

/** True for an error that only says that a package is not installed. */
function isUninstalled({ code, message }: CompilerFinding, missing: ReadonlySet<string>): boolean {
  if (!NOT_FOUND.has(Number(code.slice("TS".length)))) return false;
  const [, name = ""] = /'((?:@[^/']+\/)?[^/']+)[^']*'/.exec(message) ?? [];
  return missing.has(name) || missing.has(`@types/${name}`);
}

/** @param missing names of packages that are not installed as the project wants them */
function check(
  program: TypeScript.Program,
  module: TypeScript.SourceFile,
  missing: ReadonlySet<string>,
): CheckedModule {
  // What cannot be read makes errors up to the end of the file.
  const [unreadable] = program.getSyntacticDiagnostics(module);
  const diagnostics =
    unreadable === undefined ? program.getSemanticDiagnostics(module) : [unreadable];
  const findings = diagnostics.map(findingOf);
  return {
    findings: findings.filter((finding) => !isUninstalled(finding, missing)),
    text: module.text,
  };
}
