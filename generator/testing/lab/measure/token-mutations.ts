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

/**
 * The tokens of a module whose change can mean something: names, literals and operators; no punctuation. Left out are
 * tokens of which every change means the same (`hasNoMeaning`).
 */
export function tokensOf(source: string): Token[] {
  const file = ts.createSourceFile("file.ts", source, ts.ScriptTarget.Latest, true);
  const tokens: Token[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node) || hasNoMeaning(node)) return;
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

/** What AJV's functions hand to each other for keywords that read more than the value itself. No keyword of ours does. */
const UNREAD: ReadonlySet<string> = new Set(["parentData", "parentDataProperty", "rootData"]);

/**
 * Whether a program means the same whatever stands in the place of a node: the name of a parameter in a type, what
 * functions of AJV hand to each other without reading it, and the default of a parameter that every call gives.
 */
function hasNoMeaning(node: ts.Node): boolean {
  const { parent } = node;
  if (parent === undefined) return false;
  if (ts.isParameter(parent) && parent.name === node) return isInType(parent);
  const isHandedOn = ts.isBindingElement(node) || ts.isObjectLiteralElement(node);
  if (isHandedOn && node.name !== undefined && UNREAD.has(node.name.getText())) return true;
  return ts.isBindingElement(parent) && parent.initializer === node && isAlwaysGiven(parent);
}

function isInType({ parent }: ts.ParameterDeclaration): boolean {
  return ts.isTypeNode(parent) || ts.isTypeElement(parent);
}

/** Whether the place of a value, which functions of AJV get, is the default of one that others call with a place. */
function isAlwaysGiven(element: ts.BindingElement): boolean {
  const called = ts.findAncestor(element, ts.isFunctionDeclaration)?.name?.text;
  const { text } = element.getSourceFile();
  return (
    element.name.getText() === "instancePath" &&
    (text.includes(`= called(${called})`) || text.includes(`= recalled(${called})`))
  );
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
