import type { StatementStructures, VariableStatementStructure } from "ts-morph";
import type { Expression } from "./layout/expression.js";
import { onOneLine } from "./layout/lay-out-expression.js";

/** A constant whose value is a list, of which each entry can be laid out by itself. */
export interface ListConstant {
  /** Its declaration, with an empty list. */
  readonly list: VariableStatementStructure;
  /** So long that they never share the line of the declaration. */
  readonly entries: readonly ListEntry[];
}

/** The expression of an entry, as text or as a tree, or entries as they were laid out before. */
export type ListEntry = string | TreeEntry | LaidOutEntry;

export interface TreeEntry {
  /** Made when it is asked for: the trees of all entries at once would take much memory. */
  tree(): Expression;
}

export interface LaidOutEntry {
  readonly layout: string;
  /** Of all of them, with commas between. Asked for where a file cannot be put together from its pieces. */
  expression(): string;
}

export function expressionOf(entry: ListEntry): string {
  if (typeof entry === "string") return entry;
  return isTree(entry) ? onOneLine(entry.tree()) : entry.expression();
}

export function isTree(entry: ListEntry): entry is TreeEntry {
  return typeof entry === "object" && "tree" in entry;
}

/** Statements as they were laid out before, with empty lines between them and around them. */
export interface LaidOutStatements {
  readonly laidOut: string;
}

/** A statement of a file: a ts-morph structure, a list, or a fixed text for what they cannot say. */
export type FileStatement = StatementStructures | ListConstant | LaidOutStatements | string;

/** The statements of one file, in order. */
export type FileStatements = readonly FileStatement[];

/**
 * What is laid out in the same way wherever it stands: a statement, imports that follow each other, a
 * list without its entries, or an entry of one.
 */
export type Piece = StatementPiece | HeadPiece | EntryPiece;

interface SourcePiece {
  /** Equal for pieces that are printed alike. Written when it is asked for: of few pieces it is. */
  readonly source: string;
  /** Where it has been laid out before. */
  readonly layout?: string;
}

interface StatementPiece extends SourcePiece {
  readonly kind: "statement";
  readonly statements: FileStatements;
}

interface ListPiece extends SourcePiece {
  readonly list: VariableStatementStructure;
}

interface HeadPiece extends ListPiece {
  readonly kind: "head";
}

interface EntryPiece extends ListPiece {
  readonly kind: "entry";
  readonly entry: ListEntry;
}

/** By the source of a piece, its text. */
export type Layouts = ReadonlyMap<string, string>;

/** Stands for the entries in the layout of a list's head; no printed text has it. */
const ENTRIES = "\0";

/**
 * The layouts of all pieces of a printed file.
 *
 * @param text the file without its header
 * @returns `undefined` where the text does not fall into just these pieces
 */
export function layoutsIn(text: string, statements: FileStatements): Layouts | undefined {
  const pieces = piecesOf(statements);
  const parts = text
    .trimEnd()
    .split("\n\n")
    .flatMap((block) => partsOfList(block) ?? [block]);
  const fits = pieces.length === parts.length && pieces.every(isLaidOutAs(parts));
  if (!fits) return undefined;
  return new Map(pieces.map(({ source }, index) => [source, parts[index] ?? ""]));
}

function isLaidOutAs(parts: readonly string[]): (piece: Piece, index: number) => boolean {
  return ({ kind }, index) => {
    const part = parts[index] ?? "";
    return (kind === "head") === part.includes(ENTRIES) && (kind === "entry") === /^ /.test(part);
  };
}

/** A piece whose layout is sought. */
export interface SoughtPiece {
  readonly piece: Piece;
  /** `undefined` where it is missing. */
  layout: string | undefined;
}

/** The file made of known layouts; `undefined` where one is missing. */
export function joinLayouts(pieces: readonly SoughtPiece[]): string | undefined {
  const blocks: string[] = [];
  let entries: string[] = [];
  for (const [index, { piece, layout }] of pieces.entries()) {
    const { kind } = piece;
    if (layout === undefined) return undefined;
    if (kind !== "entry") blocks.push(layout);
    else entries.push(layout);
    if (entries.length === 0 || pieces[index + 1]?.piece.kind === "entry") continue;
    const filled = entries.join("\n");
    blocks.push((blocks.pop() ?? "").replace(ENTRIES, () => filled));
    entries = [];
  }
  return `${blocks.join("\n\n")}\n`;
}

/**
 * Files that together hold all pieces whose layouts are missing, none of them large: laying a text out
 * takes hundreds of times its size.
 */
export function* filesOfMissing(pieces: readonly SoughtPiece[]): Generator<FileStatements> {
  let file: FileStatement[] = [];
  let size = 0;
  for (const { piece, layout } of pieces) {
    if (layout !== undefined) continue;
    addPiece(file, piece);
    size += piece.source.length;
    if (size < MOST_CHARACTERS) continue;
    yield file;
    [file, size] = [[], 0];
  }
  if (file.length > 0) yield file;
}

const MOST_CHARACTERS = 100_000;

function addPiece(file: FileStatement[], piece: Piece): void {
  if (piece.kind === "statement") {
    file.push(...piece.statements);
    return;
  }
  const last = file.at(-1);
  const entries = piece.kind === "entry" ? [piece.entry] : [];
  if (last !== undefined && isList(last) && last.list === piece.list) {
    file[file.length - 1] = { list: piece.list, entries: [...entries, ...last.entries] };
  } else file.push({ list: piece.list, entries: [...entries, FILLER] });
}

/** With this, a list is broken into lines as it is with its other entries. */
const FILLER = JSON.stringify("too long for one line".repeat(6));

export function piecesOf(statements: FileStatements): Piece[] {
  return runsOf(statements).flatMap((run) => {
    const [first] = run;
    return first !== undefined && isList(first) ? piecesOfList(first) : [statementPiece(run)];
  });
}

function statementPiece(statements: FileStatements): StatementPiece {
  let source: string | undefined;
  const [first] = statements;
  return {
    kind: "statement",
    statements,
    ...(first !== undefined && isLaidOut(first) && { layout: first.laidOut }),
    get source() {
      return (source ??= sourceOf(statements));
    },
  };
}

function piecesOfList({ list, entries }: ListConstant): Piece[] {
  const head: Piece = { kind: "head", list, source: sourceOf([{ list, entries: [] }]) };
  return [head, ...entries.map((entry) => entryPiece(list, entry))];
}

function entryPiece(list: VariableStatementStructure, entry: ListEntry): EntryPiece {
  return {
    kind: "entry",
    list,
    entry,
    ...(typeof entry === "object" && !isTree(entry) && { layout: entry.layout }),
    get source() {
      return `entry ${expressionOf(entry)}`;
    },
  };
}

function sourceOf(statements: FileStatements): string {
  return JSON.stringify(statements, (_, value: unknown) => {
    // What a function would write cannot be compared.
    if (typeof value === "function")
      throw new TypeError("a structure of generated code has a function");
    return value;
  });
}

/** Statements between which there is no empty line, together. */
function runsOf(statements: FileStatements): FileStatement[][] {
  const runs: FileStatement[][] = [];
  for (const statement of statements) {
    const above = runs.at(-1);
    const last = above?.at(-1);
    if (last !== undefined && areLinksAlike(statement, last)) above?.push(statement);
    else runs.push([statement]);
  }
  return runs;
}

/** Whether both are imports, or both re-exports. */
export function areLinksAlike(statement: FileStatement, other: FileStatement): boolean {
  if (typeof statement === "string" || typeof other === "string") return false;
  if (!("moduleSpecifier" in statement) || !("kind" in other)) return false;
  return statement.kind === other.kind;
}

export function isLaidOut(statement: FileStatement): statement is LaidOutStatements {
  return typeof statement === "object" && "laidOut" in statement;
}

export function isList(statement: FileStatement): statement is ListConstant {
  return typeof statement === "object" && "list" in statement;
}

/** The head of a list and its entries; `undefined` for a block that is none. */
function partsOfList(block: string): string[] | undefined {
  const lines = block.split("\n");
  const opening = lines.findIndex((line) => line.endsWith(" = ["));
  if (opening < 0 || lines.at(-1) !== "];") return undefined;
  const entries: string[][] = [];
  for (const line of lines.slice(opening + 1, -1)) {
    if (/^ {2}[^ )}\]]/.test(line)) entries.push([line]);
    else entries.at(-1)?.push(line);
  }
  const head = [...lines.slice(0, opening + 1), ENTRIES, "];"].join("\n");
  return [head, ...entries.map((entry) => entry.join("\n"))];
}
