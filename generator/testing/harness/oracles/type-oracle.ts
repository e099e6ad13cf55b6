import { ModuleKind, Project, ScriptTarget, ts } from "ts-morph";
import type { TypeDeclaration } from "../../../5-emit/types/emit-types.js";
import { declarationOf } from "../../../5-emit/types/type-declaration.js";
import { printFile } from "../../../5-emit/typescript-printer.js";
import type { JsonValue } from "../../../model/json.js";
import { writeKey, writeLiteral } from "../../../text/literal.js";

/** A module of emitted types, and values that are or are not assignable to one of them. */
export interface OracleModule {
  readonly declarations: readonly TypeDeclaration[];
  readonly typeName: string;
  readonly values: readonly JsonValue[];
}

/** What the compiler says of one value. */
export interface Verdict {
  /** Whether the value, written down where the type is expected, is accepted. */
  readonly asLiteral: boolean;
  /** Whether a variable of the value's own exact type is accepted. */
  readonly asVariable: boolean;
}

export interface OracleAnswer {
  /** Errors in the declarations themselves. */
  readonly errors: readonly string[];
  readonly verdicts: readonly Verdict[];
}

/** The text of a module of emitted types. */
export function printDeclarations(declarations: readonly TypeDeclaration[]): string {
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
  return moduleText(project, declarations);
}

/** Asks TypeScript's own compiler, with one program for all modules. */
export function askCompiler(modules: readonly OracleModule[]): OracleAnswer[] {
  const project = new Project({
    useInMemoryFileSystem: true,
    compilerOptions: {
      strict: true,
      target: ScriptTarget.ES2022,
      module: ModuleKind.ESNext,
      lib: ["lib.es2022.d.ts"],
      types: [],
    },
  });
  const files = modules.map((module, index) => {
    const types = moduleText(project, module.declarations);
    const assertions = module.values.flatMap((value) => assertionLines(value, module.typeName));
    project.createSourceFile(`/module${index}.ts`, types + assertions.join("\n"));
    return { path: `/module${index}.ts`, firstAssertion: types.split("\n").length - 1 };
  });
  const program = project.getProgram().compilerObject;
  return files.map(({ path, firstAssertion }, index) => {
    const source = program.getSourceFile(path);
    const diagnostics = [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ];
    return readAnswer(diagnostics, firstAssertion, modules[index]?.values.length ?? 0);
  });
}

function moduleText(project: Project, declarations: readonly TypeDeclaration[]): string {
  return printFile(project, declarations.map(declarationOf));
}

/** Two lines for each value, which `readAnswer` counts on. */
function assertionLines(value: JsonValue, typeName: string): string[] {
  return [
    `{ const literal: ${typeName} = ${writeLiteral(value)}; literal; }`,
    `{ const exact = null! as ${exactType(value)}; const variable: ${typeName} = exact; variable; }`,
  ];
}

function readAnswer(
  diagnostics: readonly ts.Diagnostic[],
  firstAssertion: number,
  count: number,
): OracleAnswer {
  const refused = new Set<number>();
  const errors: string[] = [];
  for (const { file, start = 0, messageText } of diagnostics) {
    const line = file?.getLineAndCharacterOfPosition(start).line ?? 0;
    refused.add(line - firstAssertion);
    if (line < firstAssertion) errors.push(ts.flattenDiagnosticMessageText(messageText, "\n"));
  }
  const verdicts = Array.from({ length: count }, (_, index) => ({
    asLiteral: !refused.has(index * 2),
    asVariable: !refused.has(index * 2 + 1),
  }));
  return { errors, verdicts };
}

/** The type that holds just one value, with nothing left open. */
function exactType(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(exactType).join(", ")}]`;
  if (typeof value !== "object" || value === null) return writeLiteral(value);
  const properties = Object.entries(value).map(
    ([key, item]) => `${writeKey(key)}: ${exactType(item)}`,
  );
  return `{ ${properties.join("; ")} }`;
}
