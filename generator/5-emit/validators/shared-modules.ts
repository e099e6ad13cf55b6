import * as boundedRun from "../../../templates/validators/bounded-run.js";
import * as checks from "../../../templates/validators/checks.js";
import * as dates from "../../../templates/validators/dates.js";
import * as formats from "../../../templates/validators/formats.js";
import * as hostnames from "../../../templates/validators/hostnames.js";
import * as unions from "../../../templates/validators/unions.js";
import * as values from "../../../templates/validators/values.js";
import type { JsonSchema } from "../../model/json.js";
import { FORMAT_CHECKS } from "../../schema/formats/format-checks.js";
import { walkSchema } from "../../schema/subschemas.js";

/** The modules of `templates/validators/`, by the names that they export. */
export const SHARED_MODULES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    checks,
    unions,
    values,
    "bounded-run": boundedRun,
    dates,
    hostnames,
    formats,
  }).flatMap(([module, exports]) => Object.keys(exports).map((name) => [name, module] as const)),
);

/** Keywords whose checks need more than `checks.js`, with the module that they need. */
const MODULE_OF_KEYWORD: ReadonlyMap<string, string> = new Map(
  Object.entries({
    anyOf: "unions",
    oneOf: "unions",
    $ref: "bounded-run",
    $dynamicRef: "bounded-run",
    const: "values",
    enum: "values",
    uniqueItems: "values",
    multipleOf: "values",
  }),
);

/** The modules of `templates/validators/` that the validators of some schemas can need, in order. */
export function sharedModules(schemas: readonly JsonSchema[]): string[] {
  const modules = new Set(schemas.length > 0 ? ["checks"] : []);
  for (const root of schemas) {
    for (const [, schema] of walkSchema(root)) {
      if (typeof schema === "boolean") continue;
      for (const [keyword, value] of Object.entries(schema)) {
        const format = keyword === "format" ? FORMAT_CHECKS.get(String(value))?.module : undefined;
        const module = format ?? MODULE_OF_KEYWORD.get(keyword);
        if (module !== undefined) modules.add(module);
      }
    }
  }
  return [...modules].sort();
}
