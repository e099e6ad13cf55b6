import { defineDiagnostic } from "../catalogue-entry.js";
import { lineSeenFrom, type Place } from "../place.js";

/** Files that a manifest includes, and how their sections become one manifest. */

export const badIncludePattern = defineDiagnostic<{ pattern: string; problem: string }>({
  code: "MW1029",
  message: ({ pattern, problem }) => `${pattern} cannot be included: ${problem}`,
  hint: () => "write a path from the manifest's folder, such as tools/*.yaml",
});

export const includesNothing = defineDiagnostic<{ pattern: string; reason?: string }>({
  code: "MW1030",
  message: ({ pattern, reason }) =>
    reason === undefined
      ? `there is no file ${pattern} below the manifest's folder`
      : `the files of ${pattern} were not found: ${reason}`,
  hint: ({ pattern }) =>
    pattern.includes("*")
      ? "* stands for any part of one name; it finds no names that begin with a dot"
      : undefined,
});

export const includedFromOutside = defineDiagnostic({
  code: "MW1031",
  message: () => "a link leads out of the manifest's folder, and only files below it are included",
});

export const tooManyIncluded = defineDiagnostic<{ found: number; limit: number }>({
  code: "MW1032",
  message: ({ found, limit }) => `${found} files are included; at most ${limit} are read`,
});

export const keyNotIncluded = defineDiagnostic<{ key: string; known: string; manifest: string }>({
  code: "MW1033",
  message: ({ key, known }) => `an included file has no ${key}, only ${known}`,
  hint: ({ key, manifest }) =>
    key === '"include"' ? "only the manifest includes files" : `move it to ${manifest}`,
});

export const includedKeyTwice = defineDiagnostic<{ key: string; first: Place }>({
  code: "MW1034",
  message: ({ key, first }, place) =>
    `the key ${key} is here twice; the first is on ${lineSeenFrom(place, first)}`,
});
