import { statSync } from "node:fs";
import type { Project, ts as TypeScript } from "ts-morph";

/** The folder in memory in which ts-morph has the compiler's own libraries. */
const LIBRARIES = "/node_modules/typescript/lib";

/** A parsed declaration file, and what its file on the disk was then. */
interface ParsedDeclarations {
  readonly file: TypeScript.SourceFile;
  /** Differs when the file on the disk changes. */
  readonly version: string;
}

/**
 * The declaration files of packages and of the compiler that programs of this process have read, with the options for
 * which they were parsed. They are most of the work of a program, and seldom change while a project is edited.
 */
const parsed = { options: "", files: new Map<string, ParsedDeclarations>() };

/**
 * A program of the modules of a project. It finds modules anew each time, and shares with the program before it what
 * was parsed of packages.
 * @param folder absolute path of the project
 */
export function createPackageProgram(
  ts: typeof TypeScript,
  project: Project,
  folder: string,
): TypeScript.Program {
  const options = project.compilerOptions.get();
  // Other projects with the same options can share the files.
  const key = JSON.stringify(options).replaceAll(folder, "");
  if (key !== parsed.options) {
    parsed.options = key;
    parsed.files.clear();
  }
  const files = project.getModuleResolutionHost();
  const host: TypeScript.CompilerHost = {
    ...files,
    getSourceFile(path, languageOptions) {
      const text = () => files.readFile(path);
      return isOfPackage(path)
        ? declarationsOf(ts, path, languageOptions, text)
        : parse(ts, path, languageOptions, text());
    },
    getDefaultLibFileName: (some) => `${LIBRARIES}/${ts.getDefaultLibFileName(some)}`,
    getCurrentDirectory: () => folder,
    getCanonicalFileName: (path) => path,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
    writeFile: () => undefined,
  };
  const rootNames = project.getSourceFiles().map((file) => file.getFilePath());
  return ts.createProgram({ rootNames, options, host });
}

function isOfPackage(path: string): boolean {
  return path.includes("/node_modules/") && /\.d\.[cm]?ts$/.test(path);
}

/** The parsed file: of a former program, if it is the same on the disk. */
function declarationsOf(
  ts: typeof TypeScript,
  path: string,
  languageOptions: TypeScript.CreateSourceFileOptions | TypeScript.ScriptTarget,
  text: () => string | undefined,
): TypeScript.SourceFile | undefined {
  const version = versionOf(path, languageOptions);
  const former = parsed.files.get(path);
  if (former?.version === version) return former.file;
  const file = parse(ts, path, languageOptions, text());
  if (file !== undefined) parsed.files.set(path, { file, version });
  return file;
}

/** The compiler's own files are on no disk, and never change. */
function versionOf(
  path: string,
  languageOptions: TypeScript.CreateSourceFileOptions | TypeScript.ScriptTarget,
): string {
  const format = typeof languageOptions === "object" ? languageOptions.impliedNodeFormat : "";
  const stats = path.startsWith(`${LIBRARIES}/`)
    ? undefined
    : statSync(path, { throwIfNoEntry: false });
  return `${stats?.ino} ${stats?.size} ${stats?.mtimeMs} ${format}`;
}

function parse(
  ts: typeof TypeScript,
  path: string,
  languageOptions: TypeScript.CreateSourceFileOptions | TypeScript.ScriptTarget,
  text: string | undefined,
): TypeScript.SourceFile | undefined {
  return text === undefined ? undefined : ts.createSourceFile(path, text, languageOptions);
}
