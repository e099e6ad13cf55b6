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

/** For each function that `templates/validators/` exports, the name of its module. */
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

/** The modules of `templates/validators/` that the texts import, directly or through others, by name. */
export function sharedModules(javascript: readonly string[]): SharedModule[] {
  const texts = new Map<string, string>();
  const addImports = (importer: string): void => {
    for (const [, name = ""] of importer.matchAll(/^(?:import|\}) .*from ".*\/([\w-]+)\.js";$/gm)) {
      if (texts.has(name)) continue;
      const text = readPackaged(`templates/validators/${name}.js`);
      texts.set(name, text);
      addImports(text);
    }
  };
  javascript.forEach(addImports);
  return [...texts]
    .map(([name, text]) => ({ name, text }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A module of `templates/validators/`. */
export interface SharedModule {
  /** Name of its file, without extension. */
  readonly name: string;
  readonly text: string;
}
