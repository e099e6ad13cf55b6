import { compile } from "@jmespath-community/jmespath";
import { nearestName } from "../text/nearest-name.js";
import { FUNCTIONS, type FunctionName, type Selection } from "../model/selection.js";

/** A selection, or why a text is none. */
export type ParsedSelection =
  { readonly selection: Selection; readonly problem?: undefined } | { readonly problem: string };

/** The nodes of the parser. Its package does not export their type. */
type ParsedNode = ReturnType<typeof compile>;

/** Reads an expression of JMESPath. What no schema can be derived from is a problem, in words. */
export function parseSelection(text: string): ParsedSelection {
  try {
    return { selection: selectionOf(compile(text)) };
  } catch (error) {
    if (error instanceof UnsupportedError) return { problem: error.message };
    const detail = error instanceof Error ? error.message : String(error);
    return { problem: `it is no JMESPath: ${detail.replace(/^Syntax error[:,] /, "")}` };
  }
}

/** An expression of JMESPath that selections do not take. */
class UnsupportedError extends Error {}

const COMPARATORS = { EQ: "==", NE: "!=", LT: "<", LTE: "<=", GT: ">", GTE: ">=" } as const;

function selectionOf(node: ParsedNode): Selection {
  switch (node.type) {
    case "Identity":
    case "Current":
      return { kind: "current" };
    case "Literal":
      return { kind: "literal", value: node.value };
    case "Field":
      return { kind: "member", name: node.name };
    case "Index":
      return { kind: "item", index: node.value };
    case "Slice":
      return sliceOf(node);
    case "Subexpression":
    case "Pipe":
    case "IndexExpression":
      return then(selectionOf(node.left), selectionOf(node.right));
    case "Flatten":
      return { kind: "flat", of: selectionOf(node.child) };
    case "Projection":
      return each(selectionOf(node.left), node.right);
    case "ValueProjection":
      return each({ kind: "members", of: selectionOf(node.left) }, node.right);
    case "FilterProjection": {
      const [of, test] = [selectionOf(node.left), selectionOf(node.condition)];
      return each({ kind: "where", of, test }, node.right);
    }
    case "MultiSelectHash":
      return {
        kind: "object",
        members: node.children.map(({ name, value }) => [name, selectionOf(value)] as const),
      };
    case "MultiSelectList":
      return { kind: "list", items: node.children.map(selectionOf) };
    case "OrExpression":
      return { kind: "either", first: selectionOf(node.left), other: selectionOf(node.right) };
    case "AndExpression":
      return { kind: "both", first: selectionOf(node.left), other: selectionOf(node.right) };
    case "NotExpression":
      return { kind: "not", of: selectionOf(node.child) };
    case "Comparator": {
      const operator = COMPARATORS[node.name];
      return {
        kind: "compare",
        operator,
        left: selectionOf(node.left),
        right: selectionOf(node.right),
      };
    }
    case "Function":
      return callOf(node.name, node.children);
    default:
      throw new UnsupportedError(`${IN_WORDS[node.type] ?? node.type} cannot be used here`);
  }
}

/** What JMESPath has, or its parser reads, and selections do not take. */
const IN_WORDS: Readonly<Record<string, string>> = {
  Arithmetic: "arithmetic",
  Binding: '"let"',
  ExpressionReference: 'an expression as an argument ("&…")',
  LetExpression: '"let"',
  Root: 'the root of the answer ("$")',
  Ternary: 'a condition ("? :")',
  Unary: "arithmetic",
  Variable: 'a variable ("$…")',
};

function sliceOf({ start, stop, step }: Extract<ParsedNode, { type: "Slice" }>): Selection {
  if (step === 0) throw new UnsupportedError("the step of a slice is 0");
  return { kind: "slice", start, stop, step: step ?? 1 };
}

/** One selection after another. Of several, each is the first of those that follow. */
function then(first: Selection, next: Selection): Selection {
  if (first.kind === "current") return next;
  if (next.kind === "current") return first;
  if (first.kind === "then") return then(first.first, then(first.next, next));
  return { kind: "then", first, next };
}

/** A projection. Flattening leaves out nulls by itself, and so does a filter by most tests; a list may have some. */
function each(of: Selection, right: ParsedNode): Selection {
  const select = selectionOf(right);
  return of.kind === "flat" && select.kind === "current" ? of : { kind: "each", of, select };
}

function callOf(name: string, children: readonly ParsedNode[]): Selection {
  if (!isFunction(name)) {
    const names = Object.keys(FUNCTIONS);
    const nearest = nearestName(name, names);
    const meant =
      nearest === undefined ? `it can call ${names.join(", ")}` : `did you mean "${nearest}"?`;
    throw new UnsupportedError(`a selection has no function "${name}": ${meant}`);
  }
  const [least, most] = FUNCTIONS[name];
  if (children.length < least || children.length > most) {
    const number = most === least ? String(least) : `${least} or more`;
    throw new UnsupportedError(
      `${name}() takes ${number} ${number === "1" ? "argument" : "arguments"}`,
    );
  }
  return { kind: "call", name, given: children.map(selectionOf) };
}

function isFunction(name: string): name is FunctionName {
  return Object.hasOwn(FUNCTIONS, name);
}
