import { plainText } from "./texts.js";

/** The most characters of a name from a title. It is short, since names of upstreams and variables begin with it. */
const LONGEST_NAME = 32;

/**
 * Makes a package name from a title.
 *
 * @param fallback the name if the title has no letter or digit that npm allows
 */
export function packageName(title: string | undefined, fallback: string): string {
  const slug = plainText(title ?? "")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, LONGEST_NAME + 1)
    // The last word is left out if it does not fit.
    .replace(new RegExp(`^(.{1,${LONGEST_NAME}})-.*$`), (all, wholeWords: string) =>
      all.length > LONGEST_NAME ? wholeWords : all,
    )
    .slice(0, LONGEST_NAME);
  return slug === "" ? fallback : slug;
}

/** The version itself if it is a semantic version of three numbers, or else `1.0.0`. */
export function semanticVersion(version: string | undefined): string {
  return version !== undefined && /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(version)
    ? version
    : "1.0.0";
}
