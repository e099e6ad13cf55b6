import { defineDiagnostic } from "../catalogue-entry.js";

/** Rules about bodies that serve the files of a folder. */

/** A manifest with one template that is a directory. @param more further keys of the template */
function example(directory: string, more = "", uriTemplate = "docs:///{+path}"): string {
  return `resourceTemplates:\n  - name: docs\n    description: Documents.\n    uriTemplate: "${uriTemplate}"\n    directory: {${directory}}${more === "" ? "" : `\n    ${more}`}`;
}

export const directoryTemplate = defineDiagnostic({
  code: "MW2150",
  severity: "error",
  title: "directory without a path",
  explanation: {
    cause:
      "A file is named by the one variable of its template, which may hold slashes: `{+path}`, or a trailing `{/path*}`. Nothing else of the URI decides which file it is.",
    example: example("root: docs", "", "docs:///{path}"),
    fix: "Write `{+path}` in the uriTemplate, and no other variable.",
  },
  message: () => "the template of a directory has one variable, {+path} or {/path*}",
});

export const listedTwice = defineDiagnostic({
  code: "MW2151",
  severity: "error",
  title: "two lists of a directory",
  explanation: {
    cause: "The directory says that its files are listed, and the template lists something itself.",
    example: example("root: docs, list: true", "list: code"),
    fix: "Remove one of them: without `list` in the directory, that of the template holds.",
  },
  message: () => 'the files are listed already by "list: true" of the directory',
});

export const directoryVariable = defineDiagnostic<{ name: string; type: string }>({
  code: "MW2152",
  severity: "error",
  title: "variable that holds no path",
  explanation: {
    cause: "The folder of a directory is a path, and the variable that holds it is something else.",
    example: `env: {DOCS: {type: number, required: true}}\n${example("root: {env: DOCS}")}`,
    fix: "Remove the `type` of the variable.",
  },
  message: ({ name, type }) => `the variable ${name} is a ${type}, and no path of a folder`,
});

export const exposedDirectory = defineDiagnostic<{ root: string }>({
  code: "MW2350",
  severity: "warning",
  title: "directory with more than is meant",
  explanation: {
    cause:
      "Every file of the folder is shown to every caller. The folder of the project has its sources and its dependencies, one around it even more. Some folders hold keys, and some the code of others.",
    example: example("root: ."),
    fix: "Name a folder that has nothing but what clients may read.",
  },
  message: ({ root }) => `the directory ${root} has files that nobody means to show`,
});
