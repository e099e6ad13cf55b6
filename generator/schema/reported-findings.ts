import { unionIssues } from "../../templates/validators/unions.js";
import type { JsonValue } from "../model/json.js";
import { movedBelow, type Finding } from "./finding.js";
import { KEYWORDS } from "./keywords/index.js";

/** What a validator of a generated project finds. */
type Issue = Parameters<typeof unionIssues>[0][number][number];

/** What callers of a generated server are told of a value. */
export interface ReportedFinding {
  /** JSON pointer of the place in the value. */
  readonly instancePath: string;
  readonly keyword: string;
  readonly message: string;
  readonly params: Readonly<Record<string, JsonValue>>;
}

/** What callers are told of a value that a schema refuses, in the order in which the compiled validators say it. */
export function reportedFindings(findings: readonly Finding[]): ReportedFinding[] {
  return findings.flatMap((finding) => {
    const { path, keyword, message, params = {}, tried } = finding;
    const instancePath = path.map((step) => pointerSegment(String(step))).join("");
    const reported: ReportedFinding = { instancePath, keyword, message, params };
    const { reportsTried = "all" } = KEYWORDS.get(keyword) ?? {};
    if (tried === undefined || reportsTried === "itself") return [reported];
    const triedToo = tried.map((found) =>
      reportedFindings(found.map((inner) => movedBelow(path, inner))),
    );
    if (reportsTried === "all") return [...triedToo.flat(), reported];
    return unionIssues(triedToo, keyword, instancePath).map(asReported);
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

/** A segment of a JSON pointer. */
export function pointerSegment(name: string): string {
  if (!name.includes("~") && !name.includes("/")) return `/${name}`;
  return `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
