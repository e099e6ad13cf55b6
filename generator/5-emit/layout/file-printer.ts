import type { StatementStructures } from "ts-morph";
import { Project } from "../../text/compiler.js";
import {
  areLinksAlike,
  expressionOf,
  isLaidOut,
  isList,
  type FileStatement,
  type FileStatements,
  type ListConstant,
} from "../file-pieces.js";
import { layOutWithPrettier } from "./prettier-layout.js";

export type PrintFile = (statements: FileStatements) => Promise<string>;

/** What prints a whole file with ts-morph, and lays it out with prettier. */
export function createFilePrinter(): PrintFile {
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
  return (statements) => {
    const file = project.createSourceFile(
      "/file.ts",
      { statements: spaced(statements) },
      { overwrite: true },
    );
    const text = file.getFullText();
    project.removeSourceFile(file);
    return layOutWithPrettier(text);
  };
}

/** An empty line before each statement that is no import after an import, and no re-export after one. */
function spaced(statements: FileStatements): (StatementStructures | string)[] {
  return statements.map((statement, index) => {
    const written = writtenAs(statement);
    const above = statements[index - 1];
    if (above === undefined || areLinksAlike(statement, above)) return written;
    return typeof written === "string" ? `\n${written}` : { ...written, leadingTrivia: "\n" };
  });
}

function writtenAs(statement: FileStatement): StatementStructures | string {
  if (typeof statement === "string") return statement;
  if (isLaidOut(statement)) return statement.laidOut;
  return isList(statement) ? filledList(statement) : statement;
}

function filledList({ list, entries }: ListConstant): StatementStructures {
  const initializer = `[${entries.map(expressionOf).join(", ")}]`;
  return {
    ...list,
    declarations: list.declarations.map((declaration) => ({ ...declaration, initializer })),
  };
}
