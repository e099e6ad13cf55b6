/** What a piece of a module is to the pieces beside it. */
export type PieceKind =
  /** A name, also a keyword that stands for a value. */
  | "name"
  /** A word behind which another one may stand. */
  | "keyword"
  /** A string, a number, a regular expression or the end of a template. */
  | "literal"
  /** A closing bracket. That of a condition is a `sign`, since it ends no value. */
  | "closed"
  | "sign";

export interface Piece {
  readonly kind: PieceKind;
  readonly text: string;
}

/** What is around and between two pieces. */
export interface Surroundings {
  /** Commas separate what is around, and not semicolons and line ends. */
  readonly isList: boolean;
  /** Square brackets, where items may be left out. */
  readonly isArray: boolean;
  readonly isLoopHead: boolean;
  readonly hasLineEnd: boolean;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}

/** Behind these a slash begins a regular expression. */
const BEFORE_VALUES = words(
  "return typeof case in of instanceof new delete void throw do else yield await extends default",
);

/** Behind these may be a name, a string or a number, on the same line. */
const JOINING = words(
  "abstract accessor as asserts assert async await break case catch class const continue declare default defer " +
    "delete do else enum export extends finally for from function get global if implements import in infer " +
    "instanceof interface is keyof let module namespace new of out override package private protected " +
    "public readonly require return satisfies set static switch throw try type typeof unique using var " +
    "void while with yield",
);

/** These may be behind a value, on the same line. */
const BEHIND_VALUES = words("as assert extends from implements in instanceof is of satisfies with");

const STATEMENTS =
  "break case catch const continue do else export finally for if return switch throw try var while";

/** They begin statements, or go on with them. */
const OF_STATEMENTS = words(STATEMENTS);

/** On one line, they are not behind themselves. */
const NOT_TWICE = words(`${STATEMENTS} as class enum extends from function import interface`);

/** Behind these comes a name or a pattern, unless they are names of members. */
const BEFORE_NAMES = words("const let var");

/** A module does not end with these. */
const BEFORE_MORE = words(
  "async await case class else export extends for function if import in instanceof let new of return throw " +
    "typeof var while",
);

const ASSIGNMENTS = "= += -= *= /= %= **= <<= >>= >>>= &= |= ^= &&= ||= ??= =>";
const BETWEEN_VALUES = `${ASSIGNMENTS} && || ?? == === != !== % ** <= >= ^ << . ?. /`;

/** They have something on their right. */
const BEFORE_OPERAND = words(`${BETWEEN_VALUES} ... + - * < | & ~ ! @`);

/** They have something on their left. */
const BEHIND_OPERAND = words(`${BETWEEN_VALUES} : ?`);

const SEPARATING = words(", ; :");
const OPENING = words("( [ { ${");

export function kindOfWord(word: string): PieceKind {
  return JOINING.has(word) ? "keyword" : "name";
}

/** Whether a slash behind a piece divides; `undefined` where that is not sure. */
export function isDivisionBehind({ kind, text }: Piece): boolean | undefined {
  if (kind === "closed") return text === "}" ? undefined : true;
  if (kind === "keyword") return !BEFORE_VALUES.has(text);
  return kind !== "sign" || text === "++" || text === "--";
}

/** False where no module that can be parsed has the one behind the other; true says little. */
export function mayFollow(former: Piece, piece: Piece, around: Surroundings): boolean {
  if (former.text === "." && former.kind === "sign") return piece.kind === "name";
  switch (piece.kind) {
    case "sign":
      return maySignFollow(former, piece.text, around);
    case "closed":
      return mayClose(former, piece.text);
    case "keyword":
      return mayKeywordFollow(former, piece.text, around) && mayValueFollow(former, piece, around);
    default:
      return mayValueFollow(former, piece, around);
  }
}

function mayKeywordFollow({ kind, text }: Piece, keyword: string, around: Surroundings): boolean {
  if (kind === "keyword") {
    return text !== keyword || around.hasLineEnd || !NOT_TWICE.has(text);
  }
  if (kind !== "sign" || around.isLoopHead || !OF_STATEMENTS.has(keyword)) return true;
  // Of parameters of types, of decorators, or in a block.
  return text === "<" || text === "@" || text === "{" || !isOpen(text);
}

/** Two values need something between them; a line end is enough, but not in lists. */
function mayValueFollow(former: Piece, piece: Piece, around: Surroundings): boolean {
  if (piece.text === "`") return true;
  if (former.kind === "keyword") return former.text !== "export" || piece.kind === "keyword";
  if (!endsValue(former)) {
    return piece.kind !== "literal" || former.text !== "}" || around.hasLineEnd;
  }
  if (around.hasLineEnd && !around.isList) return true;
  return piece.kind === "keyword" && BEHIND_VALUES.has(piece.text);
}

/** A block may be what ends with a brace. */
function endsValue({ kind, text }: Piece): boolean {
  return kind === "name" || kind === "literal" || (kind === "closed" && text !== "}");
}

function maySignFollow(former: Piece, text: string, around: Surroundings): boolean {
  if (text === ";" || text === ",") return maySeparate(former, text, around);
  if (text === "@") return !endsValue(former) || around.hasLineEnd;
  if (former.kind === "keyword") {
    return !BEFORE_NAMES.has(former.text) || /^[.*<]$/.test(text) || !BEFORE_OPERAND.has(text);
  }
  if (former.kind !== "sign") return true;
  // Types may end behind a comma.
  if (text === ">")
    return !isOpen(former.text) && (former.text === "," || !SEPARATING.has(former.text));
  if (text === "|" || text === "&") return former.text !== "|" && former.text !== "&";
  if (!BEHIND_OPERAND.has(text)) return true;
  if (text === "?" && (former.text === "-" || former.text === "+")) return true;
  return !isOpen(former.text) && !SEPARATING.has(former.text);
}

function maySeparate(former: Piece, text: string, around: Surroundings): boolean {
  if (text === ";" && around.isList && !around.isLoopHead) return false;
  if (former.kind !== "sign") return true;
  if (BEFORE_OPERAND.has(former.text) || former.text === ":") return false;
  if (text === ";") return former.text !== ",";
  return former.text === "[" || former.text === "," ? around.isArray : !isOpen(former.text);
}

function mayClose(former: Piece, text: string): boolean {
  if (former.kind !== "sign") return true;
  if (former.text === "${") return false;
  return !BEFORE_OPERAND.has(former.text) && (former.text !== ":" || text === "}");
}

/** Whether something has yet to come. */
function isOpen(text: string): boolean {
  return OPENING.has(text) || BEFORE_OPERAND.has(text);
}

/** Whether a module may end behind a piece. */
export function mayEnd({ kind, text }: Piece): boolean {
  if (kind === "keyword") return !BEFORE_MORE.has(text);
  return (
    kind !== "sign" || !(BEFORE_OPERAND.has(text) || text === "," || text === ":" || text === "?")
  );
}
