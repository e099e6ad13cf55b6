import type { ts } from "ts-morph";
import type { SyntaxProblem } from "../source-editor.js";
import { compiler } from "./compiler.js";

/** The syntax tree of a module; undefined if it has a syntax error. */
export function parseModule(path: string, source: string): ts.SourceFile | undefined {
  const file = parse(path, source);
  return syntaxErrors(file).length > 0 ? undefined : file;
}

/** The first syntax error of a module. */
export function syntaxProblem(path: string, source: string): SyntaxProblem | undefined {
  const [first] = syntaxErrors(parse(path, source));
  if (first === undefined) return undefined;
  const { messageText, start, length } = first;
  const message = compiler.flattenDiagnosticMessageText(messageText, "\n").replace(/\.$/, "");
  return { message, at: { start, end: start + length } };
}

/** Parses a module without the tags in its comments. */
function parse(path: string, source: string): ts.SourceFile {
  const options = {
    languageVersion: compiler.ScriptTarget.Latest,
    jsDocParsingMode: compiler.JSDocParsingMode.ParseNone,
  };
  return compiler.createSourceFile(path, source, options, true);
}

/** The parser's list of errors. It is not in the public types, whose function for it would build a whole program. */
function syntaxErrors(file: ts.SourceFile): readonly ts.DiagnosticWithLocation[] {
  if (!("parseDiagnostics" in file)) throw new Error("the parser reports no syntax errors");
  return file.parseDiagnostics as readonly ts.DiagnosticWithLocation[];
}

/** All nodes of a tree, parents first. Not recursive, since a source may be nested deeply. */
export function* nodesOf(root: ts.Node): Generator<ts.Node> {
  const waiting: ts.Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    const children: ts.Node[] = [];
    compiler.forEachChild(node, (child) => void children.push(child));
    for (const child of children.reverse()) waiting.push(child);
  }
}
