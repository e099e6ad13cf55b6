import { ts } from "ts-morph";

/** What a file of TypeScript or JavaScript is to a compiler, whatever its strings and names say. */
export interface SyntaxShape {
  /** The kinds of the nodes in the order of the text; a property's name is one kind, quoted or not. */
  readonly kinds: readonly string[];
  /** Number of comments. */
  readonly comments: number;
  /** Names of the tags in doc comments. */
  readonly tags: readonly string[];
  /** Whatever in a comment acts on a tool: directives, pragmas, references, inline tags. */
  readonly directives: readonly string[];
}

/** @throws Error where the file does not parse */
export function syntaxShape(path: string, text: string): SyntaxShape {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext) as ParsedFile;
  const [problem] = file.parseDiagnostics;
  if (problem !== undefined) {
    const { start = 0, messageText } = problem;
    const around = JSON.stringify(text.slice(Math.max(0, start - 80), start + 80));
    throw new Error(`${path}: ${String(messageText)} in ${around}`);
  }
  const visitor = new ShapeVisitor(file);
  visitor.visit(file, undefined);
  const comments = commentsOf(text, visitor.literals);
  return {
    kinds: visitor.kinds,
    comments: comments.length,
    tags: visitor.tags,
    directives: [
      ...visitor.inlineTags,
      ...fileDirectives(file),
      ...comments.flatMap(toolDirectives),
    ],
  };
}

/** What the parser finds beside the tree; the compiler's own types do not show it. */
interface ParsedFile extends ts.SourceFile {
  readonly parseDiagnostics: readonly ts.DiagnosticWithLocation[];
  readonly commentDirectives?: readonly unknown[];
  readonly pragmas: ReadonlyMap<string, unknown>;
}

class ShapeVisitor {
  readonly kinds: string[] = [];
  readonly tags: string[] = [];
  readonly inlineTags: string[] = [];
  /** The ranges of literals, in which there are no comments. */
  readonly literals: [start: number, end: number][] = [];
  readonly #file: ts.SourceFile;

  constructor(file: ts.SourceFile) {
    this.#file = file;
  }

  visit(node: ts.Node, parent: ts.Node | undefined): void {
    this.kinds.push(...kindsOf(node, parent));
    if (isLiteral(node)) this.literals.push([node.getStart(this.#file), node.end]);
    for (const comment of (node as { jsDoc?: readonly ts.JSDoc[] }).jsDoc ?? []) {
      this.#visitDoc(comment);
    }
    ts.forEachChild(node, (child) => this.visit(child, node));
  }

  #visitDoc(doc: ts.JSDoc): void {
    for (const part of [doc, ...(doc.tags ?? [])]) {
      if (ts.isJSDoc(part) === false) this.tags.push(part.tagName.text);
      if (typeof part.comment === "object") this.inlineTags.push("an inline tag");
    }
  }
}

/** Whether a node is a literal, or the part of a template between its expressions. */
function isLiteral(node: ts.Node): boolean {
  return (
    ts.isLiteralExpression(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node)
  );
}

/** The kinds that a node counts as. `{ a }` counts as `{ a: a }`, since `{ a$1: a1 }` names the property as it must. */
function kindsOf(node: ts.Node, parent: ts.Node | undefined): string[] {
  if (isPropertyKey(node, parent)) return ["PropertyKey"];
  const kind = ts.SyntaxKind[node.kind] ?? "";
  if (ts.isShorthandPropertyAssignment(node)) return ["PropertyAssignment", "PropertyKey"];
  const isShort =
    ts.isBindingElement(node) &&
    node.propertyName === undefined &&
    node.dotDotDotToken === undefined &&
    parent !== undefined &&
    ts.isObjectBindingPattern(parent);
  return isShort ? [kind, "PropertyKey"] : [kind];
}

/** `a: 1` and `"a b": 1` are the same to everything but their spelling. */
function isPropertyKey(node: ts.Node, parent: ts.Node | undefined): boolean {
  if (parent === undefined || !(ts.isIdentifier(node) || ts.isStringLiteral(node))) return false;
  if (ts.isBindingElement(parent)) return parent.propertyName === node;
  return (
    (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent)) && parent.name === node
  );
}

function commentsOf(text: string, literals: readonly (readonly [number, number])[]): string[] {
  let code = "";
  let end = 0;
  for (const [start, next] of literals) {
    code += text.slice(end, start) + '""';
    end = next;
  }
  return (code + text.slice(end)).match(/\/\*[^]*?\*\/|\/\/.*/g) ?? [];
}

function fileDirectives(file: ParsedFile): string[] {
  return [
    ...file.pragmas.keys(),
    ...(file.commentDirectives ?? []).map(() => "@ts-ignore"),
    ...[
      ...file.referencedFiles,
      ...file.typeReferenceDirectives,
      ...file.libReferenceDirectives,
    ].map(({ fileName }) => `a reference to ${fileName}`),
  ];
}

/** Directives of linters, formatters, coverage and debuggers, at the start of a comment as these want it. */
function toolDirectives(comment: string): string[] {
  const directive =
    /^\/[/*]\s*(eslint|tslint|globals?\s|exported\s|prettier-|istanbul|[cv]8 |node:|biome-|deno-|@)|[#@]\s*source(?:Mapping)?URL=/.exec(
      comment,
    );
  return directive === null ? [] : [directive[0]];
}
