import { isJsonObject } from "../model/json.js";
import * as steps from "../../templates/runtime/selection/selection.js";
import {
  callInLines,
  callOf,
  listOf,
  literalOf,
  movable,
  objectOf,
  sequenceOf,
  type Code,
} from "../text/code.js";
import { writeString } from "../text/literal.js";
import { argumentIdentifier } from "../text/names.js";
import { STEP_OF_FUNCTION } from "./selected-value.js";
import type { Selection } from "../model/selection.js";

/** Code that makes a selection, and the functions of the runtime's `selection` that it calls. */
export interface SelectionCode {
  /** A function of the answer. */
  readonly code: Code;
  readonly steps: readonly string[];
}

/**
 * Writes a selection as code that calls the steps of the runtime.
 *
 * @param answer the name of its parameter
 * @param taken names that the code around it has; a step with such a name is imported under another one
 */
export function selectionCode(
  selection: Selection,
  answer: string,
  taken: Iterable<string>,
): SelectionCode {
  const writer = new SelectionWriter(new Set(taken));
  const code = writer.functionOf(selection, answer);
  return { code, steps: [...writer.steps].toSorted() };
}

class SelectionWriter {
  readonly steps = new Set<string>();
  readonly #taken: ReadonlySet<string>;
  /** The variables of the functions around the code that is being written, and whether their values may be null. */
  readonly #variables: { readonly name: string; readonly mayBeNull: boolean }[] = [];

  readonly #functions = new Set<Code>();
  readonly #callsWithFunction = new Set<Code>();

  constructor(taken: ReadonlySet<string>) {
    this.#taken = taken;
  }

  /** `(name) => …` */
  functionOf(selection: Selection, wanted: string, mayBeNull = false): Code {
    const name = this.#variable(wanted);
    this.#variables.push({ name, mayBeNull });
    const body = this.#code(selection, name);
    this.#variables.pop();
    return this.#arrow(`(${name}) => `, selection, body, mayBeNull);
  }

  /** A function that returns what a selection makes. */
  #arrow(head: string, selection: Selection, body: Code, mayBeNull: boolean): Code {
    const shape = mayBeNull && selection.kind !== "literal" ? "call" : shapeOf(selection);
    const code =
      shape === "object"
        ? sequenceOf([`${head}(`, body, ")"])
        : sequenceOf([head, shape === "list" ? body : movable(body)]);
    this.#functions.add(code);
    return code;
  }

  #code(selection: Selection, current: Code): Code {
    const of = (inner: Selection): Code => this.#code(inner, current);
    switch (selection.kind) {
      case "current":
        return current;
      case "literal":
        return literalOf(selection.value);
      case "member":
      case "then":
        return this.#chain(selection, current);
      case "item":
        return this.#call("nth", [current, String(selection.index)]);
      case "slice":
        return this.#slice(selection, current);
      case "flat":
      case "members":
        return this.#call(selection.kind, [of(selection.of)]);
      case "where":
        return this.#overItems("where", selection.of, selection.test, current);
      case "each":
        return this.#overItems("each", selection.of, selection.select, current);
      case "object":
      case "list":
        if (this.#variables.at(-1)?.mayBeNull === true)
          return this.#present(selection, current, "");
        return selection.kind === "list"
          ? listOf(selection.items.map(of))
          : objectOf(selection.members.map(([name, value]) => [name, of(value)]));
      case "either":
      case "both": {
        const mayBeNull = this.#variables.at(-1)?.mayBeNull === true;
        const other = this.#arrow("() => ", selection.other, of(selection.other), mayBeNull);
        return this.#call(selection.kind, [of(selection.first), other]);
      }
      case "not":
        return sequenceOf(["!", this.#call("holds", [of(selection.of)])]);
      case "compare":
        return this.#comparison(selection, current);
      case "call":
        return this.#call(STEP_OF_FUNCTION[selection.name], selection.given.map(of));
    }
  }

  /** `at(current, "a", "b")`, and what follows on it. */
  #chain(selection: Selection, current: Code): Code {
    const [names, rest] = leadingNames(selection);
    if (names.length > 0) {
      const found = this.#call("at", [current, ...names.map(writeString)]);
      return rest === undefined ? found : this.#following(rest, found, names.at(-1) ?? "");
    }
    if (selection.kind !== "then") return current;
    return this.#following(selection.next, this.#code(selection.first, current), "");
  }

  /** A selection on a found value, which gets a variable where it is used several times, or in a function. */
  #following(selection: Selection, found: Code, name: string): Code {
    if (usesOnce(selection)) return this.#code(selection, found);
    if (selection.kind === "object" || selection.kind === "list") {
      return this.#present(selection, found, name);
    }
    return this.#call("from", [
      found,
      this.functionOf(selection, name === "" ? "found" : name, true),
    ]);
  }

  /** An object or a list that is made of a value, unless that is null. */
  #present(selection: Selection, found: Code, name: string): Code {
    return this.#call("present", [found, this.functionOf(selection, name === "" ? "found" : name)]);
  }

  #slice({ start, stop, step }: Extract<Selection, { kind: "slice" }>, current: Code): Code {
    const bounds = [start, stop].map((bound) => (bound === null ? "null" : String(bound)));
    return this.#call("slice", [current, ...bounds, ...(step === 1 ? [] : [String(step)])]);
  }

  #overItems(step: string, of: Selection, made: Selection, current: Code): Code {
    const list = this.#code(of, current);
    const item = singular(lastName(of));
    return this.#call(step, [list, this.functionOf(made, item, step === "where")]);
  }

  #comparison(
    { operator, left, right }: Extract<Selection, { kind: "compare" }>,
    current: Code,
  ): Code {
    const [one, other] = [this.#code(left, current), this.#code(right, current)];
    if (operator === "==") return this.#call("equal", [one, other]);
    if (operator === "!=") return sequenceOf(["!", this.#call("equal", [one, other])]);
    return this.#call("compare", [one, writeString(operator), other]);
  }

  #call(step: string, given: readonly Code[]): Code {
    const isTaken = this.#taken.has(step);
    const local = isTaken ? `select${step.charAt(0).toUpperCase()}${step.slice(1)}` : step;
    this.steps.add(isTaken ? `${step} as ${local}` : step);
    const call = this.#hasSeveralFunctions(given)
      ? callInLines(local, given)
      : callOf(local, given);
    if (given.some((argument) => this.#isFunction(argument))) this.#callsWithFunction.add(call);
    return call;
  }

  /** True if functions follow each other in the arguments of a call, which then have lines of their own. */
  #hasSeveralFunctions(given: readonly Code[]): boolean {
    const functions = given.filter((argument) => this.#isFunction(argument));
    const isNested = given.some((argument) => this.#callsWithFunction.has(argument));
    return given.length > 1 && (functions.length > 1 || isNested);
  }

  #isFunction(code: Code): boolean {
    return this.#functions.has(code);
  }

  /** A name for a variable that nothing else has. */
  #variable(wanted: string): string {
    const variables = this.#variables.map(({ name }) => name);
    const others = new Set([...this.#taken, ...Object.keys(steps), ...variables]);
    return argumentIdentifier(/[A-Za-z]/.test(wanted) ? wanted : "item", others);
  }
}

/** The names with which a selection begins, from the outside to the inside, and what follows on them. */
function leadingNames(selection: Selection): [names: string[], rest: Selection | undefined] {
  if (selection.kind === "member") return [[selection.name], undefined];
  if (selection.kind !== "then" || selection.first.kind !== "member") return [[], selection];
  const [names, rest] = leadingNames(selection.next);
  return [[selection.first.name, ...names], rest];
}

/** True if the code of a selection has its current value at most once, and not in a function. */
function usesOnce(selection: Selection): boolean {
  return uses(selection) <= 1;
}

/** How often the code of a selection has its current value. Of conditions, the part in a function counts as several. */
function uses(selection: Selection): number {
  const total = (parts: readonly Selection[]): number =>
    parts.reduce((sum, part) => sum + uses(part), 0);
  switch (selection.kind) {
    case "literal":
      return 0;
    case "current":
    case "member":
    case "item":
    case "slice":
      return 1;
    case "then":
      return uses(selection.first);
    case "flat":
    case "members":
    case "where":
    case "each":
    case "not":
      return uses(selection.of);
    // An object or a list of null is null, which needs a look at the value itself.
    case "object":
    case "list":
      return 2;
    case "either":
    case "both":
      return uses(selection.first) + 2 * uses(selection.other);
    case "compare":
      return total([selection.left, selection.right]);
    case "call":
      return total(selection.given);
  }
}

/** The last name on the way to a list, such as `items`; empty if there is none. */
function lastName(selection: Selection): string {
  switch (selection.kind) {
    case "member":
      return selection.name;
    case "then":
      return lastName(selection.next) || lastName(selection.first);
    case "flat":
    case "members":
    case "where":
    case "each":
      return lastName(selection.of);
    default:
      return "";
  }
}

/** The English word for one of several; empty if the word is no plural. */
function singular(word: string): string {
  if (/ies$/i.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?:[sx]|ch|sh)es$/i.test(word)) return word.slice(0, -2);
  return /[^s]s$/i.test(word) ? word.slice(0, -1) : "";
}

/** Whether the code of a selection is an object or a list, which begins on the line of a function that returns it. */
function shapeOf(selection: Selection): "object" | "list" | "call" {
  if (selection.kind === "object" || selection.kind === "list") return selection.kind;
  if (selection.kind !== "literal") return "call";
  const { value } = selection;
  if (Array.isArray(value)) return "list";
  return isJsonObject(value) ? "object" : "call";
}
