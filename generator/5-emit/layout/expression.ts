import { quoted } from "./quoted.js";

/**
 * The expressions that entries of generated lists and calls in starter tests are made of, read from one
 * line of source: literals, names, and calls around them. What is beyond that is for prettier.
 */
export type Expression = ObjectExpression | ArrayExpression | CallExpression | Atom;

interface Measured {
  /** Columns on one line. */
  readonly width: number;
  /** Takes several lines, however short. */
  readonly isBroken: boolean;
  /** False where only prettier knows how wide it is, or how a part of it is written. */
  readonly isKnown: boolean;
}

export interface ObjectExpression extends Measured {
  readonly kind: "object";
  readonly members: readonly Member[];
}

export interface Member {
  /** As it is written. */
  readonly key: string;
  /** Absent in `{ key }`. */
  readonly value?: Expression;
}

export interface ArrayExpression extends Measured {
  readonly kind: "array";
  readonly items: readonly Expression[];
}

export interface CallExpression extends Measured {
  readonly kind: "call";
  readonly callee: string;
  readonly passed: readonly Expression[];
}

export interface Atom extends Measured {
  readonly kind: "string" | "number" | "name";
  readonly text: string;
}

/** @returns `undefined` for source that is something else */
export function readExpression(source: string): Expression | undefined {
  try {
    const reader = new ExpressionReader(source);
    const expression = reader.expression();
    return reader.isAtEnd ? expression : undefined;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

class Unreadable extends Error {}

/** What is longer than one character. */
const WORDS =
  /("(?:[^"\\]|\\.)*")|(-?\d[\d.]*(?:e[+-]?\d+)?)|([\w$]+(?:<\w+>)?(?:\.[\w$]+|\["[^"\\]*"\])*)/y;

const MARKS = "{}[](),:";

type TokenKind = "string" | "number" | "name" | "mark" | "end";

class ExpressionReader {
  readonly #source: string;
  readonly #word = new RegExp(WORDS);
  #at = 0;
  #kind: TokenKind = "end";
  #text = "";

  constructor(source: string) {
    this.#source = source;
    this.#next();
  }

  get isAtEnd(): boolean {
    return this.#kind === "end";
  }

  expression(): Expression {
    const kind = this.#kind;
    const text = this.#text;
    this.#next();
    if (kind === "string") return atom(kind, quoted(text));
    if (kind === "number") return atom(kind, text.replace("e+", "e"));
    if (kind === "name") return this.#text === "(" ? this.#call(text) : atom(kind, text);
    if (text === "{") return this.#object();
    if (text === "[") return this.#array();
    throw new Unreadable();
  }

  #call(callee: string): CallExpression {
    this.#next();
    const passed: Expression[] = [];
    while (this.#text !== ")") {
      passed.push(this.expression());
      if (this.#text !== ")") this.#take(",");
    }
    this.#next();
    return callOf(callee, passed);
  }

  #object(): ObjectExpression {
    const members: Member[] = [];
    while (this.#text !== "}") {
      members.push(this.#member());
      if (this.#text !== "}") this.#take(",");
    }
    this.#next();
    return objectOf(members);
  }

  #member(): Member {
    const key = this.#key();
    this.#next();
    if (this.#text !== ":") return { key };
    this.#next();
    return { key, value: this.expression() };
  }

  #key(): string {
    const text = this.#text;
    if (this.#kind === "name" && /^[A-Za-z_$][\w$]*$/.test(text)) return text;
    // Prettier takes the quotes from some names with other letters.
    if (this.#kind === "string" && /^[ -~]*$/.test(text)) return quoted(text);
    throw new Unreadable();
  }

  #array(): ArrayExpression {
    const items: Expression[] = [];
    while (this.#text !== "]") {
      items.push(this.expression());
      if (this.#text !== "]") this.#take(",");
    }
    this.#next();
    return arrayOf(items);
  }

  #take(mark: string): void {
    if (this.#text !== mark || this.#kind !== "mark") throw new Unreadable();
    this.#next();
  }

  #next(): void {
    this.#kind = "end";
    this.#text = "";
    if (this.#at === this.#source.length) return;
    while (this.#source[this.#at] === " ") this.#at += 1;
    const mark = this.#source[this.#at] ?? "";
    if (mark !== "" && MARKS.includes(mark)) {
      this.#kind = "mark";
      this.#text = mark;
    } else this.#nextWord();
    this.#at += this.#text.length;
  }

  #nextWord(): void {
    this.#word.lastIndex = this.#at;
    const [text, string, number] = this.#word.exec(this.#source) ?? [];
    if (text === undefined) throw new Unreadable();
    this.#text = text;
    if (string !== undefined) this.#kind = "string";
    else this.#kind = number === undefined ? "name" : "number";
  }
}

export function atom(kind: Atom["kind"], text: string, isKnown = true): Atom {
  return { kind, text, width: text.length, isBroken: false, isKnown };
}

export function objectOf(members: readonly Member[]): ObjectExpression {
  let width = 2;
  let isBroken = false;
  let isKnown = true;
  for (const { key, value } of members) {
    width += 2 + key.length;
    if (value === undefined) continue;
    width += 2 + value.width;
    isBroken ||= value.isBroken;
    isKnown &&= value.isKnown;
  }
  return { kind: "object", members, width, isBroken, isKnown };
}

export function arrayOf(items: readonly Expression[]): ArrayExpression {
  const { width, isBroken, isKnown } = measured(items);
  return { kind: "array", items, width: 2 + width, isBroken: isBroken || isTable(items), isKnown };
}

export function callOf(callee: string, passed: readonly Expression[]): CallExpression {
  const { width, isBroken, isKnown } = measured(passed);
  return { kind: "call", callee, passed, width: callee.length + 2 + width, isBroken, isKnown };
}

/** Of expressions with commas between them. */
function measured(expressions: readonly Expression[]): Measured {
  let width = 2 * Math.max(0, expressions.length - 1);
  let isBroken = false;
  let isKnown = true;
  for (const expression of expressions) {
    width += expression.width;
    isBroken ||= expression.isBroken;
    isKnown &&= expression.isKnown;
  }
  return { width, isBroken, isKnown };
}

/** Several objects, or several lists, each with several members. */
function isTable(items: readonly Expression[]): boolean {
  const [first] = items;
  return (
    items.length > 1 && items.every((item) => item.kind === first?.kind && membersOf(item) > 1)
  );
}

function membersOf(expression: Expression): number {
  if (expression.kind === "object") return expression.members.length;
  return expression.kind === "array" ? expression.items.length : 0;
}
