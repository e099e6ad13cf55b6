/**
 * Whether one version comes after another by the rules of Semantic Versioning. What is no version
 * comes after none.
 */
export function isLaterVersion(version: string, than: string): boolean {
  const [left, right] = [parse(version), parse(than)];
  if (left === undefined || right === undefined) return false;
  return (
    compareParts(left.core, right.core) > 0 ||
    (compareParts(left.core, right.core) === 0 && comparePreReleases(left.pre, right.pre) > 0)
  );
}

interface Version {
  readonly core: readonly string[];
  /** Empty for a release. */
  readonly pre: readonly string[];
}

function parse(text: string): Version | undefined {
  const [, core, pre] = /^(\d+\.\d+\.\d+)(?:-([\w.-]+))?(?:\+[\w.-]+)?$/.exec(text) ?? [];
  return core === undefined ? undefined : { core: core.split("."), pre: pre?.split(".") ?? [] };
}

/** A release comes after its pre-releases. */
function comparePreReleases(left: readonly string[], right: readonly string[]): number {
  if (left.length === 0 || right.length === 0) return right.length - left.length;
  return compareParts(left, right);
}

/** Part by part; numbers come before words, and fewer parts before more. */
function compareParts(left: readonly string[], right: readonly string[]): number {
  for (const [index, part] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = comparePart(part, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function comparePart(left: string, right: string): number {
  const [leftIsNumber, rightIsNumber] = [/^\d+$/.test(left), /^\d+$/.test(right)];
  if (leftIsNumber !== rightIsNumber) return leftIsNumber ? -1 : 1;
  if (leftIsNumber) return Number(left) - Number(right);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
