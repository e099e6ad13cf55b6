/** True for a text with all three conflict markers of a version-control merge. */
export function hasConflictMarkers(text: string): boolean {
  return /^<{7} /m.test(text) && /^={7}\r?$/m.test(text) && /^>{7} /m.test(text);
}

/** The text with the lines of both sides of each conflict, as git's `merge=union` leaves them. */
export function withBothSides(text: string): string {
  let isAncestor = false;
  return text
    .split("\n")
    .filter((line) => {
      const isMarker = /^(?:<{7} |>{7} |={7}\r?$|\|{7})/.test(line);
      if (isMarker) isAncestor = line.startsWith("|");
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
    if (line.startsWith("<<<<<<< ")) region = "first";
    else if (region === "first" && line.startsWith("|||||||")) region = "ancestor";
    else if (region !== "common" && /^={7}\r?$/.test(line)) region = "second";
    else if (region === "second" && line.startsWith(">>>>>>> ")) region = "common";
    else {
      if (region === "common" || region === "first") sides[0].push(line);
      if (region === "common" || region === "second") sides[1].push(line);
    }
  }
  return [sides[0].join("\n"), sides[1].join("\n")];
}
