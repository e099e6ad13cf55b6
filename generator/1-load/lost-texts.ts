import type { Scalar } from "yaml";
import type { Span } from "./scan.js";

/** A comment whose `#` stands directly before a letter or a digit, after a text in the same line. */
const COMMENT = /[ \t]+(#(?=[\p{L}\p{N}])[^\n]*)/uy;

/**
 * The comment after a text without quotes if it was probably meant as a part of it: it begins with a number, as
 * in "issue #12", or the text is prose. After a single word, a comment such as `#todo` is likelier. Seen in
 * pleaseai/shunt#535, where 70 of 100 descriptions ended before `PR #532`.
 */
export function commentInPlaceOfText(node: Scalar, source: string): Span | undefined {
  if (node.type !== "PLAIN" || typeof node.value !== "string" || !node.range) return undefined;
  const [, end] = node.range;
  COMMENT.lastIndex = end;
  const [match, comment] = COMMENT.exec(source) ?? [];
  if (match === undefined || comment === undefined) return undefined;
  const isMeantAsText = /^#\d/.test(comment) || /\S\s\S/.test(node.value);
  const start = end + match.length - comment.length;
  return isMeantAsText ? { start, end: start + comment.length } : undefined;
}

/**
 * The anchors of texts without quotes that no alias repeats. Such an anchor may be the beginning of the text, as in the
 * translation of tomgi/git_stats#69.
 */
export function unusedAnchors(
  anchored: readonly Scalar[],
  used: ReadonlySet<unknown>,
  source: string,
): (Span & { readonly anchor: string })[] {
  return anchored.flatMap((node) => {
    if (used.has(node) || node.anchor === undefined) return [];
    const isText = typeof node.value === "string" || node.source === "";
    if (node.type !== "PLAIN" || !isText) return [];
    const { anchor } = node;
    const start = source.lastIndexOf(`&${anchor}`, node.range?.[0] ?? 0);
    return [{ anchor, start, end: start + 1 + anchor.length }];
  });
}
