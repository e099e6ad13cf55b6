/* The small packages for this count a swap of two letters, the most frequent typing error, as two edits. */

/**
 * The candidate that a misspelt name most likely means; undefined if more than a third of the letters differ in all.
 * Case is ignored.
 */
export function nearestName(misspelt: string, candidates: Iterable<string>): string | undefined {
  const name = misspelt.toLowerCase();
  if (name.length === 0 || name.length > 100) return undefined;
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const distance = editDistance(name, candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** A name in lower case, with letters and digits only: the same for all notations. */
export const lettersOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/**
 * True if a misspelt name can mean only one of the candidates: it is the same in another notation, or one letter
 * differs, in long names two, and no other candidate is as near.
 */
export function isSureName(found: string, meant: string, candidates: Iterable<string>): boolean {
  const name = lettersOf(found);
  const others = [...candidates].filter((other) => other !== meant && other !== found);
  if (name === lettersOf(meant))
    return name !== "" && others.every((other) => lettersOf(other) !== name);
  if (name.length < 4 || name.length > 100) return false;
  const distance = editDistance(name, lettersOf(meant));
  if (distance > (name.length < 8 ? 1 : 2)) return false;
  return others.every(
    (other) =>
      Math.abs(other.length - found.length) > distance + 2 ||
      editDistance(name, lettersOf(other)) > distance,
  );
}

/** Up to three candidates that an unknown name may mean, the likeliest first: the nearest one, and those that it is a part of. */
export function nearestNames(unknown: string, candidates: readonly string[]): string[] {
  const nearest = nearestName(unknown, candidates);
  const name = unknown.toLowerCase();
  const longer = candidates.filter((candidate) => {
    const other = candidate.toLowerCase();
    return name.length > 2 && (other.includes(name) || (other.length > 2 && name.includes(other)));
  });
  return [...new Set([...(nearest === undefined ? [] : [nearest]), ...longer])].slice(0, 3);
}

/** Optimal string alignment distance: insertion, deletion, substitution and swap of two neighbours count 1 each. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const substitution = a[row - 1] === b[column - 1] ? 0 : 1;
      let distance = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + substitution,
      );
      const swapped =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) distance = Math.min(distance, (beforePrevious[column - 2] ?? 0) + 1);
      current.push(distance);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
