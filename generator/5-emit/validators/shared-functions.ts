import * as calledFunctions from "../../../templates/runtime/validators/called-functions.js";
import * as checks from "../../../templates/runtime/validators/checks.js";
import * as dates from "../../../templates/runtime/validators/dates.js";
import * as formats from "../../../templates/runtime/validators/formats.js";
import * as hostnames from "../../../templates/runtime/validators/hostnames.js";
import * as unions from "../../../templates/runtime/validators/unions.js";
import * as values from "../../../templates/runtime/validators/values.js";

/** What validators share: the modules of `templates/runtime/validators/`, each an entry of the runtime's package. */
export const SHARED_MODULES: Readonly<Record<string, object>> = {
  "called-functions": calledFunctions,
  ...{ checks, dates, formats, hostnames, unions, values },
};

/** The functions by the modules that export them, both in the order of their names. */
export function byModule(
  functions: ReadonlySet<string>,
): [module: string, functions: readonly string[]][] {
  return Object.entries(SHARED_MODULES).flatMap(([module, exported]) => {
    const called = Object.keys(exported).filter((name) => functions.has(name));
    return called.length === 0 ? [] : [[module, called.sort()]];
  });
}
