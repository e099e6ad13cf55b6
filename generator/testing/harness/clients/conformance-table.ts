import { readdir, readFile } from "node:fs/promises";
import { parse } from "yaml";
import { serverScenarios, suiteFolder, type SuiteOutcome } from "./conformance-suite.js";

/** What the suite says of a revision: the scenarios that count, and those that run without counting. */
interface Requirements {
  readonly server: readonly string[];
  readonly not_scored?: readonly {
    readonly scenario: string;
    readonly leg: "server" | "client";
    /** `extension`, `pending` or `added-after-release`. */
    readonly reason: string;
  }[];
}

/**
 * The scenarios that the suite has for servers, a line each: the revision that requires or runs it, why it counts or does not,
 * and whether it passed. Those of no revision stand at the end.
 *
 * @param outcomes What the suite said, by revision. @param others Whether scenarios of no revision passed, by their names.
 */
export async function conformanceTable(
  outcomes: ReadonlyMap<string, Pick<SuiteOutcome, "scenarios">>,
  others: ReadonlyMap<string, boolean>,
): Promise<string> {
  const folder = new URL("requirements/", await suiteFolder());
  const lines: string[] = [];
  const known = new Set<string>();
  for (const file of (await readdir(folder)).sort()) {
    const revision = file.replace(/\.yaml$/, "");
    const text = await readFile(new URL(file, folder), "utf8");
    const { server, not_scored: unscored = [] } = parse(text) as Requirements;
    const rows = [
      ...server.map((name) => [name, "scored"] as const),
      ...unscored.flatMap(({ scenario, leg, reason }) =>
        leg === "server" ? [[scenario, reason] as const] : [],
      ),
    ];
    for (const [name, why] of rows) {
      known.add(name);
      lines.push(
        `${revision}  ${why}  ${name}  ${verdictOf(outcomes.get(revision)?.scenarios, name)}`,
      );
    }
  }
  const rest = (await serverScenarios()).filter((name) => !known.has(name)).sort();
  const unrequired = rest.map((name) => `no revision  ${name}  ${verdictOf(others, name)}`);
  return [...lines, ...unrequired, ""].join("\n");
}

function verdictOf(passes: ReadonlyMap<string, boolean> | undefined, name: string): string {
  const passed = passes?.get(name);
  if (passed === undefined) return "not run";
  return passed ? "passed" : "failed";
}
