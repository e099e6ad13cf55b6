import gt from "semver/functions/gt.js";
import valid from "semver/functions/valid.js";

/**
 * Whether one version comes after another by the rules of Semantic Versioning. What is no version
 * comes after none.
 */
export function isLaterVersion(version: string, than: string): boolean {
  return valid(version) !== null && valid(than) !== null && gt(version, than);
}
