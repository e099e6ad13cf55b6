import { isNarrow } from "./line-width.js";
import { quoted } from "./quoted.js";

/** The types that most properties have. */
export type TypeExpression = ObjectTypeExpression | UnionExpression;

/** An object type in lines, perhaps of the elements of lists. */
export interface ObjectTypeExpression {
  readonly kind: "object";
  readonly members: readonly MemberType[];
  /** `[]` for each list. */
  readonly suffix: string;
}

export interface MemberType {
  /** Lines of the comment above it. */
  readonly docs: readonly string[];
  /** Up to the colon. */
  readonly key: string;
  readonly type: TypeExpression;
}

/** Names and literals, each on one line: a single one is a type, too. */
export interface UnionExpression {
  readonly kind: "union";
  readonly members: readonly string[];
}

const COMMENT = /\s*\/\*\*[^]*?\*\//y;
const KEY = /\s*((?:readonly )?(?:[\w$]+|"[ !#-[\]-~]*"|\[key: string\])\??): /y;
const MEMBER = /\s*("(?:[^"\\\n]|\\.)*"|-?\d+(?:\.\d+)?|[A-Za-z_$][\w$]*)((?:\[\])*)/y;
const OR = / \| /y;
const OPEN = /\s*\{(?=\n)/y;
const CLOSE = /\s*\}((?:\[\])*)/y;
const END = /;/y;

/** Most types are one name, perhaps of the elements of lists: `undefined` for others. */
export function readName(source: string): UnionExpression | undefined {
  return /^[A-Za-z_$][\w$]*(?:\[\])*$/.test(source)
    ? { kind: "union", members: [source] }
    : undefined;
}

/** @returns `undefined` for source that is something else */
export function readType(source: string): TypeExpression | undefined {
  if (!isNarrow(source.replaceAll("\n", ""))) return undefined;
  const reader = new TypeReader(source);
  const type = reader.type();
  return type !== undefined && reader.isAtEnd ? type : undefined;
}

class TypeReader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#source.length;
  }

  type(): TypeExpression | undefined {
    return this.#take(OPEN) === undefined ? this.#union() : this.#object();
  }

  #union(): UnionExpression | undefined {
    const members: string[] = [];
    do {
      const [, text, lists = ""] = this.#take(MEMBER) ?? [];
      if (text === undefined) return undefined;
      members.push(quoted(text) + lists);
    } while (this.#take(OR) !== undefined);
    return { kind: "union", members };
  }

  #object(): ObjectTypeExpression | undefined {
    const members: MemberType[] = [];
    for (;;) {
      const [, suffix] = this.#take(CLOSE) ?? [];
      if (suffix !== undefined) return { kind: "object", members, suffix };
      const member = this.#member();
      if (member === undefined) return undefined;
      members.push(member);
    }
  }

  #member(): MemberType | undefined {
    const [comment = ""] = this.#take(COMMENT) ?? [];
    const [first = "", ...others] = comment.trim().split("\n");
    const docs = comment === "" ? [] : [first, ...others.map((line) => ` ${line.trim()}`)];
    const [, key] = this.#take(KEY) ?? [];
    const type = key === undefined ? undefined : this.type();
    if (key === undefined || type === undefined || !this.#take(END)) return undefined;
    return { docs, key, type };
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source) ?? undefined;
    if (found !== undefined) this.#at = pattern.lastIndex;
    return found;
  }
}
