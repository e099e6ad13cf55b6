import { ts } from "ts-morph";

/** One token of a file with its replacement. */
export interface TokenMutation {
  readonly offset: number;
  readonly before: string;
  readonly after: string;
}

const OPPOSITES: Readonly<Record<string, string>> = {
  true: "false",
  false: "true",
  "===": "!==",
  "!==": "===",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "&&": "||",
  "||": "&&",
  "??": "||",
  "+": "-",
  "-": "+",
  "*": "/",
  "++": "--",
  "--": "++",
  "+=": "-=",
  "-=": "+=",
  "!": "",
  await: "",
};

interface Token {
  readonly kind: ts.SyntaxKind;
  readonly text: string;
  readonly offset: number;
}

/** The tokens of a module whose change can mean something: names, literals and operators; no punctuation. */
export function tokensOf(source: string): Token[] {
  const file = ts.createSourceFile("file.ts", source, ts.ScriptTarget.Latest, true);
  const tokens: Token[] = [];
  const visit = (node: ts.Node): void => {
    // A comment.
    if (ts.isJSDoc(node)) return;
    const children = node.getChildren(file);
    if (children.length > 0) return children.forEach(visit);
    const text = node.getText(file);
    if (isChangeable(node.kind, text)) {
      tokens.push({ kind: node.kind, text, offset: node.getStart(file) });
    }
  };
  visit(file);
  return tokens;
}

function isChangeable(kind: ts.SyntaxKind, text: string): boolean {
  if (Object.hasOwn(OPPOSITES, text)) return true;
  return (
    ts.isIdentifier({ kind } as ts.Node) ||
    ts.isLiteralExpression({ kind } as ts.Node) ||
    kind === ts.SyntaxKind.TemplateHead ||
    kind === ts.SyntaxKind.TemplateMiddle ||
    kind === ts.SyntaxKind.TemplateTail
  );
}

/**
 * Changes one token: an operator to its opposite, a literal to another one, a name to another one
 * of the file.
 *
 * @param random a whole number below the one given
 */
export function mutateToken(
  tokens: readonly Token[],
  random: (below: number) => number,
): TokenMutation | undefined {
  const token = tokens[random(tokens.length)];
  if (token === undefined) return undefined;
  const { kind, text: before, offset } = token;
  const opposite = Object.hasOwn(OPPOSITES, before) ? OPPOSITES[before] : undefined;
  if (opposite !== undefined) return { offset, before, after: opposite };
  if (kind !== ts.SyntaxKind.Identifier) return { offset, before, after: otherLiteral(token) };
  const names = [...new Set(tokens.filter((other) => other.kind === kind).map(({ text }) => text))];
  const others = names.filter((name) => name !== before);
  const after = others[random(Math.max(1, others.length))];
  return after === undefined ? undefined : { offset, before, after };
}

function otherLiteral({ kind, text }: Token): string {
  if (kind === ts.SyntaxKind.NumericLiteral) return String(Number(text.replaceAll("_", "")) + 1);
  // After the quote, the brace or the slash that opens it.
  return `${text.charAt(0)}x${text.slice(1)}`;
}
