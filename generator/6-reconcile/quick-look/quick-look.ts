import { ExportReader } from "./export-reader.js";
import {
  beginsWord,
  endOfLine,
  endOfNumber,
  endOfPunctuator,
  endOfRegex,
  endOfString,
  endOfTemplateText,
  endOfWord,
  FAULT,
  gapAt,
  isDigit,
} from "./lexemes.js";
import {
  isDivisionBehind,
  kindOfWord,
  mayEnd,
  mayFollow,
  type Piece,
  type PieceKind,
} from "./neighbours.js";

/** What can be seen of a module without a compiler. */
export interface QuickLook {
  /** Names that it exports; not those for which declarations have to be read. */
  readonly exported: ReadonlySet<string>;
  /** It has `export *`. */
  readonly open: boolean;
}

/**
 * Looks at a TypeScript module once, from its beginning to its end.
 *
 * @returns `undefined` unless the module looks as though it could be parsed: where it does not, a compiler
 * has to be asked, and nearly always says so too
 */
export function quickLook(source: string): QuickLook | undefined {
  const scan = new Scan(source);
  return scan.isSound() ? scan.exports : undefined;
}

const START: Piece = { kind: "sign", text: ";" };
const PAIRS: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };
/** Their parentheses end no value. */
const HEADS: ReadonlySet<string> = new Set(["if", "for", "while", "with"]);

/** What is left behind of a conflict most easily: all other marks cannot stand behind a statement. */
const CONFLICT_END = ">".repeat(7);

const DECLARING: ReadonlySet<string> = new Set(["const", "let", "var"]);
const ENDS_DECLARING: ReadonlySet<string> = new Set([
  "type",
  "interface",
  "class",
  "function",
  "export",
  "declare",
  "enum",
  "namespace",
  "of",
  "in",
]);

interface Bracket {
  readonly text: string;
  /** What is in it ends no value: a condition, or what a decorator is given. */
  readonly isHead: boolean;
  readonly isLoopHead: boolean;
  /** Commas separate what is in it. */
  readonly isList: boolean;
  /** It holds the arguments of a call, or the parameters of a function with a name. */
  readonly isCall: boolean;
  /** Values are in it, and not types. */
  holdsValues: boolean;
}

const OUTSIDE: Bracket = {
  text: "",
  isHead: false,
  isLoopHead: false,
  isList: false,
  isCall: false,
  holdsValues: false,
};

class Scan {
  readonly exports = new ExportReader();
  private at = 0;
  private former = START;
  private hasLineEnd = true;
  /** The one in which the next piece is. */
  private bracket = OUTSIDE;
  private readonly outer: Bracket[] = [];
  /** The word whose parenthesis may come next: `if`, `for` and such. */
  private head = "";
  private isDecorator = false;
  /** The former piece is a name that begins a statement. */
  private isBehindStart = false;
  /** The former piece closes the bracket of a call. */
  private isBehindCall = false;
  /** Between `const` and its `=`. */
  private isDeclaring = false;
  /** Of the last `=`: that it gives a constant its value. */
  private isInitializer = false;
  /** Of the last colon: that it is behind the key of a member. */
  private isBehindKey = false;

  constructor(private readonly source: string) {}

  isSound(): boolean {
    if (this.source.startsWith("#!")) this.at = endOfLine(this.source, 0);
    for (;;) {
      const gap = gapAt(this.source, this.at);
      if (gap === undefined) return false;
      this.at = gap.end;
      this.hasLineEnd = gap.hasLineEnd;
      if (this.at === this.source.length) return this.bracket === OUTSIDE && mayEnd(this.former);
      if (!this.readPiece()) return false;
    }
  }

  private readPiece(): boolean {
    const { source, at } = this;
    if (beginsWord(source, at)) return this.readWord();
    const character = source.charAt(at);
    switch (character) {
      case "(":
      case "[":
      case "{":
        return this.openBracket(character, at + 1);
      case ")":
      case "]":
      case "}":
        return this.closeBracket(character);
      case "'":
      case '"':
        return this.take("literal", '"', endOfString(source, at));
      case "`":
        return this.readTemplateText(at + 1);
      case "/":
        return this.readSlash();
      case "#":
        return beginsWord(source, at + 1) && this.take("name", "#", endOfWord(source, at + 1));
      case "!":
        return source[at + 1] === "=" ? this.readSign() : this.readExclamationMark();
      case ".":
        return isDigit(source.charCodeAt(at + 1)) ? this.readNumber() : this.readSign();
      default:
        return isDigit(source.charCodeAt(at)) ? this.readNumber() : this.readSign();
    }
  }

  /** Goes on behind a piece, unless it cannot stand where it is. */
  private take(kind: PieceKind, text: string, end: number): boolean {
    if (end === FAULT) return false;
    const piece = { kind, text };
    const { hasLineEnd, bracket } = this;
    const { isList, isLoopHead } = bracket;
    const around = { isList, isArray: bracket.text === "[", isLoopHead, hasLineEnd };
    if (!mayFollow(this.former, piece, around)) return false;
    this.isBehindStart = kind === "name" && this.isStart();
    this.isBehindCall = false;
    if (this.bracket === OUTSIDE || this.exports.isReading) this.exports.read(piece);
    this.former = piece;
    this.at = end;
    return true;
  }

  /** Whether a name that comes next begins a statement, or is what a statement imports. */
  private isStart(): boolean {
    const { kind, text } = this.former;
    if (kind === "sign") return text === ";" || text === "{" || text === ")";
    if (kind === "keyword") return text === "import";
    return text === "}" || (this.hasLineEnd && !this.bracket.isList);
  }

  private readWord(): boolean {
    const end = endOfWord(this.source, this.at);
    const word = this.source.slice(this.at, end);
    const isMember = this.former.text === "." || this.former.text === "?.";
    if (isMember || word !== "await") this.head = !isMember && HEADS.has(word) ? word : "";
    if (isMember) return this.take("name", word, end);
    // Not `as const`, nor of a type parameter.
    if (DECLARING.has(word)) this.isDeclaring = !/^(as|<|,)$/.test(this.former.text);
    else if (ENDS_DECLARING.has(word)) this.isDeclaring = false;
    return this.take(this.isDecorator ? "keyword" : kindOfWord(word), word, end);
  }

  private readNumber(): boolean {
    return this.take("literal", "0", endOfNumber(this.source, this.at));
  }

  private readSign(): boolean {
    const end = endOfPunctuator(this.source, this.at);
    if (end === FAULT) return false;
    const sign = this.source.slice(this.at, end);
    if (sign === "=>" && this.isBehindCall) return false;
    if (sign === "==" && this.isDeclaring) return false;
    if (this.hasLineEnd && this.source.startsWith(CONFLICT_END, this.at)) return false;
    this.head = "";
    if (sign !== ".") this.isDecorator = sign === "@";
    this.noteSign(sign);
    return this.take("sign", sign, end);
  }

  private noteSign(sign: string): void {
    const { former, bracket } = this;
    switch (sign) {
      case ":":
        this.isBehindKey =
          bracket.text === "{" && (former.kind !== "closed" || former.text === "]");
        return;
      case "=":
        this.isInitializer = this.isDeclaring;
        this.isDeclaring = false;
        return;
      case ";":
        this.isDeclaring = false;
        return;
      case "<":
        // Types may follow.
        bracket.holdsValues = false;
    }
  }

  /** Behind a value it says that there is one. */
  private readExclamationMark(): boolean {
    if (this.hasLineEnd || isDivisionBehind(this.former) === false) return this.readSign();
    this.former = { kind: "closed", text: "!" };
    this.at += 1;
    return true;
  }

  private readSlash(): boolean {
    const isDivision = isDivisionBehind(this.former);
    if (isDivision === undefined) return false;
    if (isDivision) return this.readSign();
    return this.take("literal", "/", endOfRegex(this.source, this.at));
  }

  private readTemplateText(start: number): boolean {
    const end = endOfTemplateText(this.source, start);
    if (end !== FAULT && this.source[end - 1] === "{") return this.openBracket("${", end);
    return this.take("literal", "`", end);
  }

  private openBracket(text: string, end: number): boolean {
    // A keyword that is spelled wrong.
    if (text === "{" && this.isBehindStart && !this.hasLineEnd) return false;
    const { former } = this;
    const isCall = text === "(" && former.kind !== "keyword" && isDivisionBehind(former) === true;
    const holdsValues = isCall || this.areValuesNext(text);
    if (!this.take("sign", text, end)) return false;
    const isHead = text === "(" && (this.head !== "" || this.isDecorator);
    this.outer.push(this.bracket);
    this.bracket = {
      text,
      isHead,
      isLoopHead: isHead && this.head === "for",
      isList: text !== "{" || holdsValues,
      isCall,
      holdsValues,
    };
    this.head = "";
    this.isDecorator = false;
    return true;
  }

  /** Whether it is sure that a bracket holds arguments, items, or the members of an object. */
  private areValuesNext(opening: string): boolean {
    const { former, bracket } = this;
    const { text } = former;
    if (former.kind === "keyword") return text === "return";
    if (former.kind !== "sign") return false;
    if (text === "=") return this.isInitializer;
    if (text === "=>") return opening === "(";
    if (text === "&&" || text === "||" || text === "??" || text === "...") return true;
    if (text === ":") return bracket.holdsValues && this.isBehindKey;
    return bracket.holdsValues && (text === "," || text === bracket.text);
  }

  private closeBracket(text: string): boolean {
    const { text: opening, isHead, isCall } = this.bracket;
    const isTemplate = opening === "${" && text === "}";
    if (opening !== PAIRS[text] && !isTemplate) return false;
    this.bracket = this.outer.pop() ?? OUTSIDE;
    if (!this.take("closed", text, this.at + 1)) return false;
    this.isBehindCall = isCall;
    if (isHead) this.former = { kind: "sign", text };
    return isTemplate ? this.readTemplateText(this.at) : true;
  }
}
