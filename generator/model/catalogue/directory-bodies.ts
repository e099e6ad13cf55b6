import { defineDiagnostic } from "../catalogue-entry.js";

/** Rules about bodies that serve the files of a folder. */

export const directoryTemplate = defineDiagnostic({
  code: "MW2150",
  message: () => "the template of a directory has one variable, {+path} or {/path*}",
});

export const listedTwice = defineDiagnostic({
  code: "MW2151",
  message: () => 'the files are listed already by "list: true" of the directory',
});

export const directoryVariable = defineDiagnostic<{ name: string; type: string }>({
  code: "MW2152",
  message: ({ name, type }) => `the variable ${name} is a ${type}, and no path of a folder`,
});

export const exposedDirectory = defineDiagnostic<{ root: string }>({
  code: "MW2350",
  severity: "warning",
  message: ({ root }) => `the directory ${root} has files that nobody means to show`,
});
