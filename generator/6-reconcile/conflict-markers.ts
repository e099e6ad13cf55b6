/**
 * True for a text with all three conflict markers of a version-control merge. They have seven characters, and more where
 * git merges what is a merge already, as for a file that both sides have renamed.
 */
export function hasConflictMarkers(text: string): boolean {
  return FIRST.test(text) && SECOND.test(text) && END.test(text);
}

const FIRST = /^<{7,} /m;
const ANCESTOR = /^\|{7,}/m;
const SECOND = /^={7,}\r?$/m;
const END = /^>{7,} /m;

/** The text with the lines of both sides of each conflict, as git's `merge=union` leaves them. */
export function withBothSides(text: string): string {
  let isAncestor = false;
  return text
    .split("\n")
    .filter((line) => {
      const isMarker = [FIRST, ANCESTOR, SECOND, END].some((marker) => marker.test(line));
      if (isMarker) isAncestor = ANCESTOR.test(line);
      return !isMarker && !isAncestor;
    })
    .join("\n");
}

/**
 * The two texts that were merged: one with all conflicts resolved to the first side, one with all resolved to
 * the second. The common ancestor, which some settings of git add (`|||||||`), is in neither.
 */
export function conflictSides(text: string): [string, string] {
  const sides: [string[], string[]] = [[], []];
  let region: "common" | "first" | "ancestor" | "second" = "common";
  for (const line of text.split("\n")) {
    if (FIRST.test(line)) region = "first";
    else if (region === "first" && ANCESTOR.test(line)) region = "ancestor";
    else if (region !== "common" && SECOND.test(line)) region = "second";
    else if (region === "second" && END.test(line)) region = "common";
    else {
      if (region === "common" || region === "first") sides[0].push(line);
      if (region === "common" || region === "second") sides[1].push(line);
    }
  }
  return [sides[0].join("\n"), sides[1].join("\n")];
}
