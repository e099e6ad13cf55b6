import * as boundedRun from "../../../templates/runtime/validators/bounded-run.js";
import * as checks from "../../../templates/runtime/validators/checks.js";
import * as dates from "../../../templates/runtime/validators/dates.js";
import * as formats from "../../../templates/runtime/validators/formats.js";
import * as hostnames from "../../../templates/runtime/validators/hostnames.js";
import * as keywordIssues from "../../../templates/runtime/validators/keyword-issues.js";
import * as nestedIssues from "../../../templates/runtime/validators/nested-issues.js";
import * as unions from "../../../templates/runtime/validators/unions.js";
import * as values from "../../../templates/runtime/validators/values.js";

/** For each function that `templates/runtime/validators/` exports, the name of its module. */
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
