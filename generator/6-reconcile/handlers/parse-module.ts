import { ts } from "../../text/compiler.js";
import type { SyntaxProblem } from "../source-editor.js";

/** Nothing is read in comments. */
const PARSING = {
  languageVersion: ts.ScriptTarget.Latest,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
};

/** The syntax tree of a module; `undefined` where it has a syntax error. */
export function parseModule(path: string, source: string): ts.SourceFile | undefined {
  const file = ts.createSourceFile(path, source, PARSING, true);
  return syntaxErrors(file).length > 0 ? undefined : file;
}

/** The first syntax error of a module. */
export function syntaxProblem(path: string, source: string): SyntaxProblem | undefined {
  const [first] = syntaxErrors(ts.createSourceFile(path, source, PARSING, true));
  if (first === undefined) return undefined;
  const { messageText, start, length } = first;
  const says = ts.flattenDiagnosticMessageText(messageText, "\n").replace(/\.$/, "");
  return { says, at: { start, end: start + length } };
}

/** The parser's own list, which its types keep to themselves; asking for it in public builds a whole program. */
function syntaxErrors(file: ts.SourceFile): readonly ts.DiagnosticWithLocation[] {
  if (!("parseDiagnostics" in file)) throw new Error("the parser reports no syntax errors");
  return file.parseDiagnostics as readonly ts.DiagnosticWithLocation[];
}

/** Every node of a tree, parents first, without recursion: the depth of a source is not ours to choose. */
export function* nodesOf(root: ts.Node): Generator<ts.Node> {
  const waiting: ts.Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    const children: ts.Node[] = [];
    ts.forEachChild(node, (child) => void children.push(child));
    waiting.push(...children.reverse());
  }
}
