import type { BuiltPage } from "../model/built-page.js";
import type { OutputFile } from "../model/output-file.js";
import type { ServerModel } from "../model/server-model.js";
import { FEATURES } from "./features.js";
import { needsAuthentication } from "../model/authentication.js";
import { copiedPath, featureOf, RUNTIME, runtimePaths } from "./runtime-files.js";
import { readPackaged } from "../text/package-root.js";
import { writeString } from "../text/literal.js";
import { generatedHeader } from "./typescript-printer.js";

/**
 * Files that do not depend on the manifest's items: the runtime, the suites of the contract tests, the
 * script that makes the bundle, and the schema for editors.
 */
export function fixedFiles(model: ServerModel): OutputFile[] {
  return [
    ...runtimeFiles(model),
    ...(FEATURES.page(model) ? [pageModule()] : []),
    { owner: "generated", path: "src/generated/bundle.mjs", content: bundleScript() },
    { owner: "generated", path: "mcp.schema.json", content: manifestSchema() },
    { owner: "scaffold", path: "src/context.ts", content: contextScaffold(model) },
    {
      owner: "scaffold",
      path: "test/services.ts",
      content: readPackaged("templates/project/test-services.ts"),
    },
  ];
}

/** The schema of manifests, which `init` and `generate` write for editors. */
export function manifestSchema(): string {
  return readPackaged("schemas/manifest.schema.json");
}

function bundleScript(): string {
  return `${generatedHeader}\n\n${readPackaged("templates/project/bundle.mjs")}`;
}

/** The page for people as a module, so that it is part of every build and bundle of the project. */
function pageModule(): OutputFile {
  const { policy, html } = JSON.parse(readPackaged("dist/generator/bundle/page.json")) as BuiltPage;
  const content = `${generatedHeader}

/** The content security policy of the page: it allows its script, its style and its connections. */
export const policy = ${writeString(policy)};

/** The HTML of the page, including its script and style. */
export const html = ${writeString(html)};
`;
  return { owner: "generated", path: "src/generated/page.ts", content };
}

function contextScaffold(model: ServerModel): string {
  const name =
    needsAuthentication(model) && model.auth === undefined
      ? "context-with-authentication"
      : "context";
  return readPackaged(`templates/project/${name}.ts`);
}

/** The files of the runtime and its suites that a project needs. */
function runtimeFiles(model: ServerModel): OutputFile[] {
  return runtimePaths()
    .filter((path) => FEATURES[featureOf(path)](model))
    .map((path) => ({
      owner: "generated" as const,
      path: copiedPath(path),
      content: `${generatedHeader}\n\n${withSourceSpecifiers(readPackaged(RUNTIME + path))}`,
    }));
}

/**
 * Changes the imports of a module from `.js` (as in mcpwright's own files) to `.ts`, so that Node.js can run the
 * project without a build.
 */
function withSourceSpecifiers(module: string): string {
  return module.replace(/(\b(?:from |import |import\(|module )"\.{1,2}\/[^"]+)\.js"/g, '$1.ts"');
}
