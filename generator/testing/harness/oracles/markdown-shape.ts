import { parsers } from "prettier/plugins/markdown";

interface MarkdownNode {
  readonly type: string;
  readonly children?: readonly MarkdownNode[];
}

/** Nodes that show their text and do nothing else. */
const PLAIN: ReadonlySet<string> = new Set(["text", "inlineCode", "break"]);

/**
 * The tree of a Markdown document without what only shows text: its blocks, and whatever in a
 * line is live: links, images, emphasis, HTML. Paragraphs that follow one another count as one,
 * since a text of the manifest may have several.
 */
export function markdownShape(text: string): string[] {
  const shape: string[] = [];
  const visit = (node: MarkdownNode, depth: number): void => {
    const line = `${" ".repeat(depth)}${node.type}`;
    const follows =
      node.type === "paragraph" && node.children?.every(({ type }) => PLAIN.has(type));
    if (!PLAIN.has(node.type) && !(follows && shape.at(-1) === line)) shape.push(line);
    for (const child of node.children ?? []) visit(child, depth + 1);
  };
  visit(parse(text), 0);
  return shape;
}

/** Prettier's parser, which takes its options and needs none; Markdown has no Liquid tags, which it looks for. */
function parse(text: string): MarkdownNode {
  const parser = parsers.markdown.parse as (text: string, options: object) => MarkdownNode;
  return parser(text.replace(/\{(?=[{%])/g, "("), {});
}
