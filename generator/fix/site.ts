import { isMap, isScalar, isSeq, type Scalar, type YAMLMap, type YAMLSeq } from "yaml";
import type { Splice } from "../text/splice.js";
import type { FoundNode, YamlSource } from "./yaml-source.js";

/** Where an edit takes place: the range of a diagnostic in a text. */
export interface Site {
  readonly source: YamlSource;
  readonly start: number;
  readonly end: number;
}

/** What an edit changes. Undefined if the text has not the form that it needs. */
export type Changes = readonly Splice[] | undefined;

/** The node at a site that has this form. None inside of what an anchor names: the text is there for several places. */
export function nodeAt(
  { source, start, end }: Site,
  fits: (found: FoundNode) => boolean,
): FoundNode | undefined {
  return source
    .nodesFrom(start)
    .find((found) => found.end === end && !isSharedText(found) && fits(found));
}

function isSharedText({ node, around }: FoundNode): boolean {
  return [node, ...around].some(
    (outer) => (isScalar(outer) || isMap(outer) || isSeq(outer)) && outer.anchor !== undefined,
  );
}

/** A key or a value on one line that is no list and no mapping. */
export function scalarAt(
  site: Site,
  isKey = false,
): (FoundNode & { readonly node: Scalar }) | undefined {
  const found = nodeAt(site, ({ node, ...at }) => isScalar(node) && at.isKey === isKey);
  if (found === undefined || !isScalar(found.node)) return undefined;
  const isBlock = found.node.type === "BLOCK_FOLDED" || found.node.type === "BLOCK_LITERAL";
  if (isBlock || sliceOf(site.source, found).includes("\n")) return undefined;
  return { ...found, node: found.node };
}

/** The mapping that starts at a site, that is the value of the key there, or that has this key beside others. */
export function mappingAt(site: Site): (FoundNode & { readonly node: YAMLMap }) | undefined {
  const key = nodeAt(site, ({ isKey }) => isKey);
  const value = key?.entry?.value;
  const wanted = isMap(value) ? value : key?.around[0];
  const start = key === undefined ? site.start : wanted?.range?.[0];
  const found = site.source
    .nodesFrom(start ?? -1)
    .find(
      (one) => isMap(one.node) && !isSharedText(one) && (key === undefined || one.node === wanted),
    );
  return found !== undefined && isMap(found.node) ? { ...found, node: found.node } : undefined;
}

/** The list or the mapping around a node. */
export function collectionAround({ around }: FoundNode): YAMLMap | YAMLSeq | undefined {
  const [nearest] = around;
  return isMap(nearest) || isSeq(nearest) ? nearest : undefined;
}

export function sliceOf({ text }: YamlSource, { start, end }: { start: number; end: number }) {
  return text.slice(start, end);
}
