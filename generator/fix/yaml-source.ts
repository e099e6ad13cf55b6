import { isMap, isPair, isScalar, isSeq, type Pair, type ParsedNode } from "yaml";
import { composeNodes } from "../1-load/compose.js";
import { indexLines, type LineIndex } from "../1-load/line-index.js";
import { LIMITS } from "../1-load/limits.js";
import { endOf } from "../1-load/locate.js";
import { scanYaml } from "../1-load/scan.js";
import type { Place } from "../model/place.js";

/** A node of the text, with what is around it. */
export interface FoundNode {
  readonly node: ParsedNode;
  /** The offsets of the node: the end is that of its last value. */
  readonly start: number;
  readonly end: number;
  /** The nodes around it, the nearest first. */
  readonly around: readonly ParsedNode[];
  /** The entry that it is the key or the value of. */
  readonly entry?: Pair;
  /** True if it is the key of its entry. */
  readonly isKey: boolean;
}

/** The text of a manifest as fixes read it: by lines, and by the nodes of YAML where it can be parsed. */
export class YamlSource {
  readonly file: string;
  /** Lines end with a line feed. */
  readonly text: string;
  readonly #lines: LineIndex;
  #names: readonly string[] | undefined;
  #nodes: ReadonlyMap<number, readonly FoundNode[]> | undefined;

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text.replaceAll("\r\n", "\n");
    this.#lines = indexLines(file, this.text);
  }

  /** The offset of a line and a column. */
  offset(line: number, column: number): number {
    return this.#lines.offset(line, column);
  }

  /** The place of a range of the text. */
  place(start: number, end: number): Place {
    return this.#lines.wholePlace(start, end);
  }

  lineStart(offset: number): number {
    return this.text.lastIndexOf("\n", offset - 1) + 1;
  }

  /** The offset of the line feed that ends the line of an offset, or the end of the text. */
  lineEnd(offset: number): number {
    const end = this.text.indexOf("\n", offset);
    return end === -1 ? this.text.length : end;
  }

  /** The line of an offset up to the offset. */
  before(offset: number): string {
    return this.text.slice(this.lineStart(offset), offset);
  }

  /** The nodes that start at an offset, the outer ones first. None where the text is no YAML. */
  nodesFrom(start: number): readonly FoundNode[] {
    return this.#nodesByStart().get(start) ?? [];
  }

  /** All nodes. */
  nodes(): readonly FoundNode[] {
    return [...this.#nodesByStart().values()].flat();
  }

  #nodesByStart(): ReadonlyMap<number, readonly FoundNode[]> {
    if (this.#nodes !== undefined) return this.#nodes;
    const nodes = new Map<number, FoundNode[]>();
    for (const found of nodesOf(this.text)) {
      const others = nodes.get(found.start);
      if (others === undefined) nodes.set(found.start, [found]);
      else others.push(found);
    }
    this.#nodes = nodes;
    return nodes;
  }

  /** The texts of all keys and values, each once. */
  names(): readonly string[] {
    this.#names ??= [
      ...new Set(
        this.nodes().flatMap(({ node }) =>
          isScalar(node) && typeof node.value === "string" ? [node.value] : [],
        ),
      ),
    ];
    return this.#names;
  }
}

function nodesOf(text: string): FoundNode[] {
  const scan = scanYaml(text);
  if (scan.document === undefined || scan.problems.some(({ kind }) => kind === "too deep"))
    return [];
  const { root } = composeNodes(scan.document);
  const found: FoundNode[] = [];
  const visit = (node: unknown, around: readonly ParsedNode[], entry?: Pair, isKey = false) => {
    if (!isParsed(node) || around.length > LIMITS.depth) return;
    const end = text.slice(0, endOf(node)).trimEnd().length;
    const parts = { around, isKey, ...(entry !== undefined && { entry }) };
    found.push({ node, start: node.range[0], end: Math.max(end, node.range[0]), ...parts });
    const inside = [node, ...around];
    if (isSeq(node)) for (const item of node.items) visit(item, inside);
    if (!isMap(node)) return;
    for (const pair of node.items) {
      visit(pair.key, inside, pair, true);
      visit(pair.value, inside, pair);
    }
  };
  visit(root, []);
  return found;
}

function isParsed(node: unknown): node is ParsedNode {
  return (
    typeof node === "object" &&
    node !== null &&
    !isPair(node) &&
    "range" in node &&
    node.range != null
  );
}
