/** The width of a page: what is longer is broken, as prettier would. */
const WIDTH = 100;

/** An `if` without braces, from its first line to the one after it. */
interface PlainIf {
  readonly start: number;
  readonly end: number;
  readonly condition: string;
  readonly statement: string;
}

interface OpenBlock {
  /** The line that opens it. */
  readonly start: number;
  readonly head: string;
  /** Whether it is an `else` on the line that closes the block before it. */
  readonly joins: boolean;
}

/** Lines of code, laid out while they are written: a block of one statement gets no braces. */
export class CodeLines {
  readonly #lines: string[] = [];
  readonly #open: OpenBlock[] = [];
  #indentation: string;
  #plainIf: PlainIf | undefined;
  /** The last statement that was added, which may stand without braces, and its line. */
  #statement = "";
  #statementLine = -1;

  constructor(indentation: string) {
    this.#indentation = indentation;
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  add(statement: string): void {
    this.#statement = statement;
    this.#statementLine = this.#lines.length;
    this.#lines.push(this.#indentation + statement);
  }

  /** Adds a declaration, which needs a block around it. */
  declare(declaration: string): void {
    this.#lines.push(this.#indentation + declaration);
  }

  /** Forgets all lines but so many. */
  takeBack(count: number): void {
    this.#lines.length = count;
    if (this.#statementLine >= count) this.#statementLine = -1;
    if (this.#plainIf !== undefined && this.#plainIf.end > count) this.#plainIf = undefined;
  }

  /** Opens a block; `head` is what stands before its brace. */
  open(head: string): void {
    const last = this.#lines.length - 1;
    const joins = head === "else" && this.#lines[last] === `${this.#indentation}}`;
    if (joins) this.#lines[last] = `${this.#indentation}} else {`;
    else this.declare(`${head} {`);
    this.#open.push({ start: this.#lines.length - 1, head, joins });
    this.#indentation += "  ";
  }

  /**
   * Closes the block that was opened last, or takes it back if there is nothing in it; whether there is.
   *
   * @param isFollowed whether an `else` comes next
   */
  close(isFollowed: boolean): boolean {
    const block = this.#open.pop();
    if (block === undefined) throw new Error("no block is open");
    this.#indentation = this.#indentation.slice(2);
    const { start, joins } = block;
    if (this.#lines.length > start + 1) {
      if (!this.#withoutBraces(block, isFollowed)) this.declare("}");
      return true;
    }
    this.takeBack(joins ? start + 1 : start);
    if (joins) this.#lines[start] = `${this.#indentation}}`;
    return false;
  }

  #withoutBraces({ start, head, joins }: OpenBlock, isFollowed: boolean): boolean {
    if (!/^(?:if|for) \(|^else$/.test(head)) return false;
    const opening = joins ? "} else" : head;
    const inner = this.#plainIfAt(start + 1);
    if (inner !== undefined) {
      const joined = isFollowed ? undefined : joinedIf(opening, inner.condition);
      if (joined === undefined) return false;
      this.#single(start, joined, inner.statement);
      return true;
    }
    if (this.#lines.length > start + 2 || this.#statementLine !== start + 1) return false;
    this.#single(start, opening, this.#statement);
    return true;
  }

  /** Puts a head and its only statement in place of all lines from one on. */
  #single(start: number, head: string, statement: string): void {
    this.takeBack(start);
    const line = `${head} ${statement}`;
    if (this.#isShort(line)) {
      this.declare(line);
    } else {
      this.declare(head);
      this.declare(`  ${statement}`);
    }
    if (!head.startsWith("if (")) return;
    this.#plainIf = { start, end: this.#lines.length, condition: head.slice(4, -1), statement };
  }

  /** The `if` without braces that is all there is from a line on. */
  #plainIfAt(line: number): PlainIf | undefined {
    const { start, end } = this.#plainIf ?? {};
    return start === line && end === this.#lines.length ? this.#plainIf : undefined;
  }

  #isShort(code: string): boolean {
    return this.#indentation.length + code.length <= WIDTH;
  }
}

/**
 * The head of one `if` for that of a block and of the `if` that is all there is in it. What strings hold,
 * and how long they are, makes no difference: they change no shape of code.
 */
function joinedIf(head: string, condition: string): string | undefined {
  if (/\belse$/.test(head)) return `${head} if (${condition})`;
  if (!head.startsWith("if (") || offersChoice(head) || offersChoice(condition)) return undefined;
  return `${head.slice(0, -1)} && ${condition})`;
}

const STRINGS = /"(?:[^"\\\n]|\\.)*"/g;

function offersChoice(condition: string): boolean {
  return condition.includes("||") && condition.replace(STRINGS, "").includes("||");
}
