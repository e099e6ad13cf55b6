import type { JsonObject } from "../../model/json.js";
import { writeString } from "../../text/literal.js";
import type { SectionLines } from "./section-lines.js";

/** A union of alternatives, in code that is written as AJV would write it. */
export interface WrittenUnion {
  readonly keyword: "anyOf" | "oneOf";
  readonly alternatives: readonly JsonObject[];
  /** The code for the JSON pointer of the value. */
  readonly pointer: string;
  /** Writes the check of the value by an alternative. */
  readonly check: (alternative: JsonObject) => void;
  /** Writes the report of a value that fits several; `message` is the code for what is said. */
  readonly reportSeveral: (message: string) => void;
}

/** Writes the check of a union: what its alternatives find is weighed where none fits, and forgotten where one does. */
export function writeUnion(out: SectionLines, union: WrittenUnion): void {
  new UnionWriter(out, union).write();
}

class UnionWriter {
  readonly #out: SectionLines;
  readonly #union: WrittenUnion;
  /** The variables: how many findings there were before, those of the alternatives, whether one fits. */
  readonly #before: string;
  readonly #tried: string;
  readonly #valid: string;
  readonly #passing: string | undefined;
  readonly #passes: string;

  constructor(out: SectionLines, union: WrittenUnion) {
    this.#out = out;
    this.#union = union;
    this.#before = out.variable("before");
    this.#tried = out.variable("tried");
    this.#valid = out.variable("valid");
    this.#passing = union.keyword === "oneOf" ? out.variable("passing") : undefined;
    this.#passes = out.variable("fits");
  }

  write(): void {
    this.#out.declare(`const ${this.#before} = issues.count;`);
    this.#out.declare(`const ${this.#tried} = [];`);
    this.#out.declare(`let ${this.#valid} = false;`);
    if (this.#passing !== undefined) this.#out.declare(`let ${this.#passing} = null;`);
    for (const [index, alternative] of this.#union.alternatives.entries()) {
      const isAsked = index === 0 || this.#passing !== undefined;
      if (isAsked) this.#try(alternative, index + 1);
      else this.#out.block(`if (!${this.#valid})`, () => this.#try(alternative, index + 1));
    }
    this.#out.block(`if (!${this.#valid})`, () => this.#report());
  }

  #try(alternative: JsonObject, number: number): void {
    const start = this.#out.variable("before");
    this.#out.declare(`const ${start} = issues.count;`);
    this.#union.check(alternative);
    this.#out.declare(`var ${this.#passes} = ${start} === issues.count;`);
    if (this.#passing === undefined) {
      this.#out.add(`${this.#valid} = ${this.#valid} || ${this.#passes};`);
    } else {
      this.#count(this.#passing, number);
    }
    this.#out.block(`if (!${this.#passes})`, () =>
      this.#out.add(`${this.#out.call("setAside", this.#tried, "issues", this.#before)};`),
    );
  }

  /** Notes that an alternative fits: the first makes the value valid, a second one does not. */
  #count(passing: string, number: number): void {
    this.#out.block(`if (${this.#passes})`, () => {
      const isFirst = `if (${passing} === null)`;
      const noteFirst = (): void => {
        this.#out.add(`${this.#valid} = true;`);
        this.#out.add(`${passing} = [${number}];`);
      };
      this.#out.block(isFirst, noteFirst, true);
      this.#out.block("else", () => {
        this.#out.block(`if (${this.#valid})`, () => {
          this.#out.add(`${this.#valid} = false;`);
          this.#out.add(`${passing}.push(${number});`);
        });
      });
    });
  }

  #report(): void {
    const passing = this.#passing;
    if (passing === undefined) {
      this.#reportMisfit();
      return;
    }
    this.#out.block(`if (${passing} === null)`, () => this.#reportMisfit(), true);
    const message = `"must match exactly one schema in oneOf, but matches numbers " + ${passing}.join(" and ")`;
    this.#out.block("else", () => this.#union.reportSeveral(message));
  }

  #reportMisfit(): void {
    const { keyword, pointer } = this.#union;
    const weighed = this.#out.call("unionIssues", this.#tried, writeString(keyword), pointer);
    this.#out.add(`${this.#out.call("joinIssues", "issues", `${weighed}.errors`)};`);
  }
}
