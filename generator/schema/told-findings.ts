import { unionIssues } from "../../templates/validators/unions.js";
import type { JsonValue } from "../model/json.js";
import { movedBelow, type Finding } from "./finding.js";
import { KEYWORDS } from "./keywords/index.js";

/** What a validator of a generated project finds. */
type Issue = Parameters<typeof unionIssues>[0][number][number];

/** What callers of a generated server are told of a value. */
export interface ToldFinding {
  /** JSON pointer of the place in the value. */
  readonly instancePath: string;
  readonly keyword: string;
  readonly message: string;
  readonly params: Readonly<Record<string, JsonValue>>;
}

/** What callers are told of a value that a schema refuses, in the order in which the compiled validators say it. */
export function toldFindings(findings: readonly Finding[]): ToldFinding[] {
  return findings.flatMap((finding) => {
    const { path, keyword, message, params = {}, tried } = finding;
    const instancePath = path.map((step) => pointerSegment(String(step))).join("");
    const told: ToldFinding = { instancePath, keyword, message, params };
    const { tells = "all" } = KEYWORDS.get(keyword) ?? {};
    if (tried === undefined || tells === "itself") return [told];
    const triedToo = tried.map((found) =>
      toldFindings(found.map((inner) => movedBelow(path, inner))),
    );
    if (tells === "all") return [...triedToo.flat(), told];
    return unionIssues(triedToo, keyword, instancePath).map(asTold);
  });
}

function asTold({ instancePath, keyword = "", message = "", params = {} }: Issue): ToldFinding {
  return { instancePath, keyword, message, params: params as Record<string, JsonValue> };
}

/** A segment of a JSON pointer. */
export function pointerSegment(name: string): string {
  if (!name.includes("~") && !name.includes("/")) return `/${name}`;
  return `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
