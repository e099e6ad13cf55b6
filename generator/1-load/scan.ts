import { CST, Lexer, Parser } from "yaml";
import { LIMITS } from "./limits.js";

/** A range of the text, as offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Findings of the token stream: what YAML allows and a manifest does not, and what would be too large to go on with. */
export type ScanProblem =
  | ({ readonly kind: "too deep" | "too many tokens" | "key is no scalar" } & Span)
  | ({ readonly kind: "tag" | "directive"; readonly source: string } & Span)
  | ({ readonly kind: "second document" } & Span)
  | ({ readonly kind: "unexpected token"; readonly message: string } & Span);

export interface Scan {
  /** The first document; absent in an empty file, and where the scan was given up. */
  readonly document?: CST.Document;
  readonly problems: readonly ScanProblem[];
}

type Collection = CST.BlockMap | CST.BlockSequence | CST.FlowCollection;

/** YAML's lexer announces a plain scalar with a token of its own. */
const isScalarMark = (lexeme: string): boolean => lexeme === CST.SCALAR;

/**
 * Tokens → syntax tree of the first document. The library's parser keeps its open collections on
 * a stack, so that depth is checked before anything recursive sees the tree.
 */
export function scanYaml(text: string): Scan {
  const parser = new Parser();
  const problems: ScanProblem[] = [];
  const tokens: CST.Token[] = [];
  let count = 0;
  let inScalar = false;
  for (const lexeme of new Lexer().lex(text)) {
    if (!inScalar) noteUnsupported(lexeme, parser.offset, problems);
    inScalar = isScalarMark(lexeme);
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (++count > LIMITS.tokens) {
      return { problems: [{ kind: "too many tokens", ...spanOf(parser.offset, lexeme) }] };
    }
    const tooDeep = depthProblem(parser.stack);
    if (tooDeep !== undefined) return { problems: [tooDeep] };
  }
  for (const token of parser.end()) tokens.push(token);
  return sortOut(tokens, problems);
}

const spanOf = (start: number, source: string): Span => ({ start, end: start + source.length });

function noteUnsupported(lexeme: string, offset: number, problems: ScanProblem[]): void {
  if (lexeme.startsWith("!"))
    problems.push({ kind: "tag", source: lexeme, ...spanOf(offset, lexeme) });
  if (lexeme.startsWith("%") && !/^%YAML +1\.2\s*(#.*)?$/.test(lexeme)) {
    problems.push({ kind: "directive", source: lexeme.trim(), ...spanOf(offset, lexeme.trim()) });
  }
}

/** A finding once more collections are open than a manifest may nest. */
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

/** Whether what comes next in the collection is the key of an entry that began with `? `. */
function isAtExplicitKey(collection: Collection | undefined): boolean {
  if (collection?.type !== "block-map") return false;
  const entry = collection.items.at(-1);
  return entry?.explicitKey === true && entry.sep === undefined;
}

/** Takes the first document, and of the parser's errors the first: what follows it was read out of step. */
function sortOut(tokens: readonly CST.Token[], found: readonly ScanProblem[]): Scan {
  const problems = [...found];
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
