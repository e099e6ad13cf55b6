import { join, relative } from "node:path";
import type { ts as TypeScript } from "ts-morph";
import { JsonDocument } from "../../6-reconcile/json-document.js";
import { findingOf, type CheckedModule } from "./compiler-findings.js";
import { isRegularFile, readRegularFile } from "./regular-files.js";

/** What the compiler takes from the tsconfig.json of a project. */
export interface ProjectConfiguration {
  readonly options: TypeScript.CompilerOptions;
  /** The files of the configuration in which a value cannot be used, by their paths relative to the project. */
  readonly faulty: ReadonlyMap<string, CheckedModule>;
}

/** What another version of the compiler may know (options and values), and that no module was found: none is looked for. */
const NO_FINDINGS: ReadonlySet<number> = new Set([5023, 5025, 6046, 18003]);

/**
 * Reads the text of a tsconfig.json. A value that the compiler cannot use is a finding, and counts as absent. Undefined
 * if the text is no JSON, which is reported as a merged file that cannot be read.
 */
export function readConfiguration(
  ts: typeof TypeScript,
  outDir: string,
  text: string,
): ProjectConfiguration | undefined {
  if (JsonDocument.parse(text) === undefined) return undefined;
  const path = join(outDir, "tsconfig.json");
  const source = ts.parseJsonText(path, text);
  try {
    const { options, problems } = parse(ts, outDir, source);
    return { options, faulty: faultyFiles(outDir, problems) };
  } catch (error) {
    // The compiler itself fails on some values, such as `references: [null]`.
    const start = startOfFailing(ts, outDir, source);
    const messageText = `the compiler cannot read this value (${String(error)})`;
    const problem = { file: source, start, length: 1, messageText, code: 5024, category: 1 };
    return { options: {}, faulty: faultyFiles(outDir, [problem]) };
  }
}

function parse(ts: typeof TypeScript, outDir: string, source: TypeScript.TsConfigSourceFile) {
  // Only the options are needed, so that no folder is searched for files.
  const host = {
    ...ts.sys,
    readDirectory: () => [],
    fileExists: isRegularFile,
    readFile: readRegularFile,
  };
  const { options, errors } = ts.parseJsonSourceFileConfigFileContent(
    source,
    host,
    outDir,
    undefined,
    source.fileName,
  );
  const lists: readonly unknown[] = Object.values(options.paths ?? {});
  const isText = (one: unknown): boolean => typeof one === "string";
  if (lists.every((list) => Array.isArray(list) && list.length > 0 && list.every(isText)))
    return { options, problems: errors };
  // The compiler accepts other values here, and fails when it resolves a module.
  delete options.paths;
  const { extendedSourceFiles = [] } = source;
  const bases = extendedSourceFiles.map((path) =>
    ts.parseJsonText(path, readRegularFile(path) ?? ""),
  );
  const [file = source, start = 0] =
    [source, ...bases]
      .map((one) => [one, startOfWrongPaths(ts, one)] as const)
      .find((one) => one[1] !== undefined) ?? [];
  const messageText = "the members of 'paths' are lists of texts";
  const wrong = { file, start, length: 1, messageText, code: 5064, category: 1 };
  return { options, problems: [...errors, wrong] };
}

/** The offset of the first value in `paths` that is no list of texts. */
function startOfWrongPaths(
  ts: typeof TypeScript,
  source: TypeScript.TsConfigSourceFile,
): number | undefined {
  const paths = memberOf(ts, memberOf(ts, rootOf(source), "compilerOptions"), "paths");
  if (paths === undefined || !ts.isObjectLiteralExpression(paths)) return paths?.getStart(source);
  const [wrong] = paths.properties.flatMap((one): readonly TypeScript.Node[] => {
    if (!ts.isPropertyAssignment(one)) return [one];
    const list = one.initializer;
    if (!ts.isArrayLiteralExpression(list) || list.elements.length === 0) return [list];
    return list.elements.filter((element) => !ts.isStringLiteral(element));
  });
  return wrong?.getStart(source);
}

const rootOf = (source: TypeScript.TsConfigSourceFile): TypeScript.Node | undefined =>
  source.statements[0]?.expression;

function memberOf(ts: typeof TypeScript, node: TypeScript.Node | undefined, name: string) {
  if (node === undefined || !ts.isObjectLiteralExpression(node)) return undefined;
  const found = node.properties.findLast(
    (one) => one.name !== undefined && ts.isStringLiteral(one.name) && one.name.text === name,
  );
  return found && ts.isPropertyAssignment(found) ? found.initializer : undefined;
}

/** The offset of the first value at the top whose key alone makes the compiler fail. */
function startOfFailing(
  ts: typeof TypeScript,
  outDir: string,
  source: TypeScript.TsConfigSourceFile,
): number {
  const root = rootOf(source);
  const properties =
    root !== undefined && ts.isObjectLiteralExpression(root) ? root.properties : [];
  const failing = properties.find((property) => {
    try {
      const alone = `{${property.getText(source)}}`;
      parse(ts, outDir, ts.parseJsonText(source.fileName, alone));
      return false;
    } catch {
      return true;
    }
  });
  const value = failing && ts.isPropertyAssignment(failing) ? failing.initializer : root;
  return value?.getStart(source) ?? 0;
}

function faultyFiles(
  outDir: string,
  problems: readonly TypeScript.Diagnostic[],
): ReadonlyMap<string, CheckedModule> {
  const files = new Map<string, CheckedModule>();
  for (const problem of problems.filter(({ code }) => !NO_FINDINGS.has(code))) {
    const file = problem.file?.fileName ?? join(outDir, "tsconfig.json");
    const path = relative(outDir, file).replaceAll("\\", "/");
    const { findings = [], text = problem.file?.text ?? readRegularFile(file) ?? "" } =
      files.get(path) ?? {};
    files.set(path, { findings: [...findings, findingOf(problem)], text });
  }
  return files;
}
