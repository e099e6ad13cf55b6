import { movedBelow, type Finding } from "../../schema/finding.js";
import { KEYWORDS } from "../../schema/keywords/index.js";
import type { ManifestPath } from "../../model/loaded-manifest.js";
import { quoted } from "../../text/value-words.js";
import { subjectOf } from "../wording.js";

/** The most findings that are reported of one value. */
const MOST_FINDINGS = 20;

/** A finding about a value in words, and its path in the value. */
export interface DescribedFinding {
  readonly path: ManifestPath;
  readonly target: "key" | "value";
  readonly problem: string;
}

/** The findings about a value in words. */
export function describeFindings(findings: readonly Finding[]): DescribedFinding[] {
  return findings.flatMap(describe).slice(0, MOST_FINDINGS);
}

function describe(finding: Finding): DescribedFinding[] {
  const { path, keyword, property, tried } = finding;
  const problem = problemOf(finding);
  if (problem !== undefined) {
    return [{ path, target: "value", problem: `${subjectOf(path, "the value")} ${problem}` }];
  }
  const below = property === undefined ? path : [...path, property];
  if (tried !== undefined) {
    return tried.flat().flatMap((inner) => describe(movedBelow(below, inner)));
  }
  const refused = `${quoted(property ?? keyword)} is not a property of the schema`;
  return [{ path: below, target: "key", problem: refused }];
}

/** The problem of the value itself. Undefined if its alternatives say more, and for a property that is not allowed. */
function problemOf(finding: Finding): string | undefined {
  const { keyword, rule } = finding;
  switch (keyword) {
    case "false schema":
      return "is not allowed";
    case "depth":
      return `cannot be checked: its schemas and their references are nested more than ${Number(rule)} levels deep`;
    case "cost":
      return `cannot be checked: the values of the manifest and their schemas branch into more than ${Number(rule)} comparisons`;
    default:
      return KEYWORDS.get(keyword)?.problem?.(finding);
  }
}
