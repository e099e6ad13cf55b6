import { spawn, type ChildProcess } from "node:child_process";
import { dirname, join } from "node:path";
import { typeError } from "../../model/catalogue/development.js";
import { wholeFile } from "../../model/place.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { shownPath } from "../compile-manifest.js";
import { readText } from "../read-text.js";
import type { Sources } from "../report/diagnostics-text.js";
import { parseCompilerOutput, placeOfWord, type CompilerFinding } from "./compiler-findings.js";
import { endGroup } from "./process-group.js";
import { findPackage } from "./installed-packages.js";

/** The result of the project's own compiler. */
export interface TypeCheck {
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: Sources;
}

/**
 * Type-checks a project with its own TypeScript compiler. Errors in tests become warnings, since the server runs
 * without tests.
 *
 * @param outDir the project's folder, where `typescript` is installed
 * @param folder the folder of the run, which paths in diagnostics are relative to
 * @param stop ends the compiler early; the result must then not be used
 */
export async function typeCheck(
  outDir: string,
  folder: string,
  stop: AbortSignal,
): Promise<TypeCheck> {
  const child = spawn(process.execPath, [compilerOf(outDir), "--noEmit", "--pretty", "false"], {
    cwd: outDir,
    stdio: ["ignore", "pipe", "pipe"],
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  const end = (): void => endGroup(child, "SIGTERM");
  stop.addEventListener("abort", end);
  const { text, code } = await outputOf(child);
  stop.removeEventListener("abort", end);
  if (code === 0) return { diagnostics: [], sources: new Map() };
  const findings = parseCompilerOutput(text);
  return locate(findings.length > 0 ? findings : [unexplainedFailure(text, code)], outDir, folder);
}

function compilerOf(outDir: string): string {
  const path = findPackage("typescript", outDir) ?? "";
  const { bin = "" } = JSON.parse(readText(path) ?? "{}") as {
    bin?: string | Readonly<Record<string, string>>;
  };
  return join(dirname(path), typeof bin === "string" ? bin : (bin["tsc"] ?? ""));
}

function outputOf(child: ChildProcess): Promise<{ text: string; code: number | null }> {
  return new Promise((resolve) => {
    let text = "";
    child.stdout?.on("data", (chunk: Buffer) => (text += chunk.toString()));
    child.stderr?.on("data", (chunk: Buffer) => (text += chunk.toString()));
    child.on("error", (error) => resolve({ text: error.message, code: 1 }));
    child.on("close", (code) => resolve({ text, code }));
  });
}

/** A finding for output of the compiler that contains no error in the usual form. */
function unexplainedFailure(text: string, code: number | null): CompilerFinding {
  const [first = ""] = text.trim().split("\n");
  const message = `the compiler ended with ${code ?? "a signal"}: ${first}`;
  return { line: 1, column: 1, code: "tsc", message };
}

/** Makes diagnostics from the findings of the compiler, with the texts of the files that they refer to. */
function locate(findings: readonly CompilerFinding[], outDir: string, folder: string): TypeCheck {
  const sources = new Map<string, string>();
  const diagnostics = findings.map((finding): Diagnostic => {
    const path = join(outDir, finding.file ?? "tsconfig.json");
    const shown = shownPath(folder, path);
    const text = sources.get(shown) ?? readText(path) ?? "";
    if (finding.file !== undefined) sources.set(shown, text);
    const place = finding.file === undefined ? wholeFile(shown) : placeOfWord(text, shown, finding);
    const diagnostic = typeError(place, finding);
    return isTest(finding.file ?? "") ? { ...diagnostic, severity: "warning" } : diagnostic;
  });
  return { diagnostics, sources };
}

function isTest(file: string): boolean {
  return file.startsWith("test/");
}
