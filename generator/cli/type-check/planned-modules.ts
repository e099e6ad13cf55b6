import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Project, SourceFile, ts as TypeScript } from "ts-morph";
import type { FileOperation } from "../../model/plan.js";
import { decodeText } from "../../text/line-ends.js";
import { messageOf, type CompilerFinding } from "./compiler-findings.js";
import { findPackage } from "./installed-packages.js";

/** Without these, nearly every line of a handler would be an error. */
const NEEDED_PACKAGES = ["@modelcontextprotocol/server", "@types/node"];

/** A module as it will be, and what of it will not type-check. */
export interface CheckedModule {
  readonly findings: readonly CompilerFinding[];
  readonly text: string;
}

/**
 * Type-checks modules of a person in the project as a plan will leave it, in memory, under the
 * project's own configuration and dependencies. Only these are looked at, since the rest is generated,
 * or none of the plan's doing.
 *
 * @param outDir absolute path of the project
 * @param paths as they will be, from there
 * @returns by path; `undefined` where the project's dependencies are not installed
 */
export async function checkPlannedModules(
  outDir: string,
  operations: readonly FileOperation[],
  paths: readonly string[],
): Promise<ReadonlyMap<string, CheckedModule> | undefined> {
  if (NEEDED_PACKAGES.some((name) => findPackage(name, outDir) === undefined)) return undefined;
  const morph = await import("ts-morph");
  const options = compilerOptions(morph.ts, outDir, operations);
  const project = new morph.Project({
    compilerOptions: options,
    skipAddingFilesFromTsConfig: true,
    skipFileDependencyResolution: true,
  });
  for (const operation of operations) overlay(project, outDir, operation);
  const files = paths.map((path) => {
    const file = project.addSourceFileAtPathIfExists(join(outDir, path));
    return [path, file] as const;
  });
  const program = project.getProgram().compilerObject;
  return new Map(files.flatMap(([path, file]) => (file ? [[path, check(program, file)]] : [])));
}

/** Of the tsconfig.json that the plan writes, else of the one on the disk. */
function compilerOptions(
  ts: typeof TypeScript,
  outDir: string,
  operations: readonly FileOperation[],
): TypeScript.CompilerOptions {
  const path = join(outDir, "tsconfig.json");
  const planned = operations.find(
    (operation) => operation.kind === "write" && operation.path === "tsconfig.json",
  );
  const text = planned?.kind === "write" ? textOf(planned.content) : ts.sys.readFile(path);
  const { config } = ts.parseConfigFileTextToJson(path, text ?? "{}") as { config?: object };
  // The files are ours to choose: no folder is searched for them.
  const host = { ...ts.sys, readDirectory: () => [] };
  return ts.parseJsonConfigFileContent(config ?? {}, host, outDir, undefined, path).options;
}

/** Makes one step of the plan in memory, as far as it concerns modules. */
function overlay(project: Project, outDir: string, operation: FileOperation): void {
  if (!/\.[cm]?ts$/.test(operation.path)) return;
  const path = join(outDir, operation.path);
  switch (operation.kind) {
    case "write":
      project.createSourceFile(path, textOf(operation.content), { overwrite: true });
      return;
    case "move": {
      const from = join(outDir, operation.from);
      project.createSourceFile(path, textOf(readFileSync(from)), { overwrite: true });
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

function check(program: TypeScript.Program, { compilerNode }: SourceFile): CheckedModule {
  const diagnostics = [
    ...program.getSyntacticDiagnostics(compilerNode),
    ...program.getSemanticDiagnostics(compilerNode),
  ];
  const findings = diagnostics.map(({ start = 0, code, messageText }): CompilerFinding => {
    const { line, character } = compilerNode.getLineAndCharacterOfPosition(start);
    const message = messageOf(linesOf(messageText));
    return { line: line + 1, column: character + 1, code: `TS${code}`, message };
  });
  return { findings, text: compilerNode.text };
}

/** The message and, level by level, its elaboration. */
function linesOf(message: string | TypeScript.DiagnosticMessageChain): string[] {
  if (typeof message === "string") return [message];
  return [message.messageText, ...(message.next ?? []).flatMap(linesOf)];
}
