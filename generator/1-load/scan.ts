import { CST, Lexer, Parser } from "yaml";
import { LIMITS } from "./limits.js";

/** A range of the text, as offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A problem that the scan finds: a construct that manifests must not use, a syntax error, or a file too large to read. */
export type ScanProblem =
  | ({ readonly kind: "too deep" | "too many tokens" | "key is no scalar" } & Span)
  | ({ readonly kind: "tag" | "directive"; readonly source: string } & Span)
  | ({ readonly kind: "second document" } & Span)
  | ({ readonly kind: "unexpected token"; readonly message: string } & Span);

/** What files that are read together have used of their common limits. */
export interface Spent {
  tokens: number;
  aliasedValues: number;
}

export const nothingSpent = (): Spent => ({ tokens: 0, aliasedValues: 0 });

export interface Scan {
  /** The first document. Absent if the file is empty or the scan stopped early. */
  readonly document?: CST.Document;
  readonly problems: readonly ScanProblem[];
}

type Collection = CST.BlockMap | CST.BlockSequence | CST.FlowCollection;

/** The lexer emits this mark before the text of a scalar. */
const isScalarMark = (lexeme: string): boolean => lexeme === CST.SCALAR;

/**
 * Parses a text to the syntax tree of its first document. It checks the depth on the parser's stack
 * of open collections, so that no recursive function receives a tree that is too deep.
 */
export function scanYaml(text: string, spent: Spent = nothingSpent()): Scan {
  const parser = new Parser();
  const problems: ScanProblem[] = [];
  const tokens: CST.Token[] = [];
  let inScalar = false;
  for (const lexeme of new Lexer().lex(text)) {
    if (!inScalar) reportUnsupported(lexeme, parser.offset, problems);
    inScalar = isScalarMark(lexeme);
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (++spent.tokens > LIMITS.tokens) {
      return { problems: [{ kind: "too many tokens", ...spanOf(parser.offset, lexeme) }] };
    }
    const tooDeep = depthProblem(parser.stack);
    if (tooDeep !== undefined) return { problems: [tooDeep] };
  }
  for (const token of parser.end()) tokens.push(token);
  return scanResult(tokens, problems);
}

const spanOf = (start: number, source: string): Span => ({ start, end: start + source.length });

/** Reports tags and directives. Only the directive `%YAML 1.2` is allowed. */
function reportUnsupported(lexeme: string, offset: number, problems: ScanProblem[]): void {
  if (lexeme.startsWith("!"))
    problems.push({ kind: "tag", source: lexeme, ...spanOf(offset, lexeme) });
  if (lexeme.startsWith("%") && !/^%YAML +1\.2\s*(#.*)?$/.test(lexeme)) {
    problems.push({ kind: "directive", source: lexeme.trim(), ...spanOf(offset, lexeme.trim()) });
  }
}

/** Returns a problem if more collections are open than a manifest may nest. */
function depthProblem(stack: readonly CST.Token[]): ScanProblem | undefined {
  if (stack.length <= LIMITS.depth) return undefined;
  const open = stack.filter((token): token is Collection => CST.isCollection(token));
  const deepest = open[LIMITS.depth];
  if (deepest === undefined) return undefined;
  const inKey = open.find((_, index) => isAtExplicitKey(open[index - 1]));
  const { offset } = inKey ?? deepest;
  const kind = inKey === undefined ? "too deep" : "key is no scalar";
  return { kind, start: offset, end: offset + 1 };
}

/** True if the parser is reading the key of an entry that began with `? `. */
function isAtExplicitKey(collection: Collection | undefined): boolean {
  if (collection?.type !== "block-map") return false;
  const entry = collection.items.at(-1);
  return entry?.explicitKey === true && entry.sep === undefined;
}

/** Takes the first document and the parser's first error. Later errors only follow from the first. */
function scanResult(
  tokens: readonly CST.Token[],
  unsupportedConstructs: readonly ScanProblem[],
): Scan {
  const problems = [...unsupportedConstructs];
  const documents = tokens.filter((token): token is CST.Document => token.type === "document");
  const error = tokens.find((token): token is CST.ErrorToken => token.type === "error");
  if (error !== undefined) {
    const { message, offset, source } = error;
    problems.push({ kind: "unexpected token", message, ...spanOf(offset, source) });
  }
  const [document, second] = documents;
  if (second !== undefined) {
    problems.push({ kind: "second document", start: second.offset, end: second.offset + 3 });
  }
  return { ...(document && { document }), problems };
}
