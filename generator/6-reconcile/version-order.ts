import gt from "semver/functions/gt.js";
import valid from "semver/functions/valid.js";

/**
 * True if `version` comes after `than` by the rules of Semantic Versioning. False if either is not a version.
 */
export function isLaterVersion(version: string, than: string): boolean {
  return valid(version) !== null && valid(than) !== null && gt(version, than);
}
