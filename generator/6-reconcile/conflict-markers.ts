/** True for a text with the conflict markers that a version-control merge leaves, all three of them. */
export function hasConflictMarkers(text: string): boolean {
  return /^<{7} /m.test(text) && /^={7}\r?$/m.test(text) && /^>{7} /m.test(text);
}

/**
 * The two texts that were merged: all conflicts resolved to the first side, and all to the second.
 * The common ancestor that some settings add (`|||||||`) belongs to neither.
 */
export function conflictSides(text: string): [string, string] {
  const sides: [string[], string[]] = [[], []];
  let place: "common" | "first" | "ancestor" | "second" = "common";
  for (const line of text.split("\n")) {
    if (line.startsWith("<<<<<<< ")) place = "first";
    else if (place === "first" && line.startsWith("|||||||")) place = "ancestor";
    else if (place !== "common" && /^={7}\r?$/.test(line)) place = "second";
    else if (place === "second" && line.startsWith(">>>>>>> ")) place = "common";
    else {
      if (place === "common" || place === "first") sides[0].push(line);
      if (place === "common" || place === "second") sides[1].push(line);
    }
  }
  return [sides[0].join("\n"), sides[1].join("\n")];
}
