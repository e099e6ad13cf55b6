import { plainText } from "./texts.js";

/** Characters of the name that is made of a title; upstreams and variables begin with it. */
const LONGEST_NAME = 32;

/**
 * A title in the letters of npm.
 *
 * @param otherwise where the title has none of them
 */
export function packageName(title: string | undefined, otherwise: string): string {
  const letters = plainText(title ?? "")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, LONGEST_NAME + 1)
    // A word that does not fit is left out.
    .replace(new RegExp(`^(.{1,${LONGEST_NAME}})-.*$`), (all, start: string) =>
      all.length > LONGEST_NAME ? start : all,
    )
    .slice(0, LONGEST_NAME);
  return letters === "" ? otherwise : letters;
}

/** A version where it is semantic, else 1.0.0. */
export function semanticVersion(version: string | undefined): string {
  return version !== undefined && /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(version)
    ? version
    : "1.0.0";
}
