import * as boundedRun from "../../../templates/validators/bounded-run.js";
import * as checks from "../../../templates/validators/checks.js";
import * as dates from "../../../templates/validators/dates.js";
import * as formats from "../../../templates/validators/formats.js";
import * as hostnames from "../../../templates/validators/hostnames.js";
import * as keywordIssues from "../../../templates/validators/keyword-issues.js";
import * as nestedIssues from "../../../templates/validators/nested-issues.js";
import * as unions from "../../../templates/validators/unions.js";
import * as values from "../../../templates/validators/values.js";
import { readPackaged } from "../../text/package-root.js";

/** The modules of `templates/validators/`, by the names that they export. */
export const SHARED_MODULES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    checks,
    unions,
    values,
    "bounded-run": boundedRun,
    "keyword-issues": keywordIssues,
    "nested-issues": nestedIssues,
    dates,
    hostnames,
    formats,
  }).flatMap(([module, exports]) => Object.keys(exports).map((name) => [name, module] as const)),
);

/** The modules of `templates/validators/` that some JavaScript imports, directly or through others, in order. */
export function sharedModules(javascript: readonly string[]): SharedModule[] {
  const found = new Map<string, string>();
  const follow = (text: string): void => {
    for (const [, name = ""] of text.matchAll(/^(?:import|\}) .*from ".*\/([\w-]+)\.js";$/gm)) {
      if (found.has(name)) continue;
      found.set(name, readPackaged(`templates/validators/${name}.js`));
      follow(found.get(name) ?? "");
    }
  };
  javascript.forEach(follow);
  return [...found]
    .map(([name, text]) => ({ name, text }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

export interface SharedModule {
  readonly name: string;
  readonly text: string;
}
