import { unionIssues } from "../../templates/runtime/validators/unions.js";
import type { JsonValue } from "../model/json.js";
import { movedBelow, type Finding } from "./finding.js";
import { KEYWORDS } from "./keywords/index.js";

/** A finding of a validator of a generated project. */
type Issue = Parameters<typeof unionIssues>[0][number][number];

/** A finding as a generated server reports it to its callers. */
export interface ReportedFinding {
  /** JSON pointer within the value. */
  readonly instancePath: string;
  readonly keyword: string;
  readonly message: string;
  readonly params: Readonly<Record<string, JsonValue>>;
}

/** The findings as callers get them from a generated server, in the order of the compiled validators. */
export function reportedFindings(findings: readonly Finding[]): ReportedFinding[] {
  return findings.flatMap((finding) => {
    const { path, keyword, message, params = {}, tried } = finding;
    const instancePath = path.map((step) => pointerSegment(String(step))).join("");
    const reported: ReportedFinding = { instancePath, keyword, message, params };
    const { reportsTried = "all" } = KEYWORDS.get(keyword) ?? {};
    if (tried === undefined || reportsTried === "itself") return [reported];
    const reportedOfTried = tried.map((findingsOfOne) =>
      reportedFindings(findingsOfOne.map((inner) => movedBelow(path, inner))),
    );
    if (reportsTried === "all") return [...reportedOfTried.flat(), reported];
    return unionIssues(reportedOfTried, keyword, instancePath).map(asReported);
  });
}

function asReported({
  instancePath,
  keyword = "",
  message = "",
  params = {},
}: Issue): ReportedFinding {
  return { instancePath, keyword, message, params: params as Record<string, JsonValue> };
}

/** A name or index as a segment of a JSON pointer, with the slash before it. */
export function pointerSegment(name: string): string {
  if (!name.includes("~") && !name.includes("/")) return `/${name}`;
  return `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
