import type { OutputFile } from "../model/output-file.js";
import type { ServerModel } from "../model/server-model.js";
import { needsAuthentication } from "../model/authentication.js";
import { readPackaged } from "../text/package-root.js";
import { hasPage } from "./model-facts.js";

/** Files that do not depend on the manifest's items, as they stand in `templates/project/`. */
export function fixedFiles(model: ServerModel): OutputFile[] {
  const { workers, lambda, vercel } = model.deploy ?? {};
  const modules = { "write-page": hasPage(model), worker: workers, lambda, vercel };
  return [
    { owner: "generated", path: "src/main.ts", content: projectModule("main") },
    ...Object.entries(modules)
      .filter(([, isNeeded]) => isNeeded)
      .map(([name]): OutputFile => ({
        owner: "generated",
        path: `src/generated/${name}.ts`,
        content: projectModule(name),
      })),
    { owner: "scaffold", path: "src/context.ts", content: contextScaffold(model) },
    {
      owner: "scaffold",
      path: "test/services.ts",
      content: projectModule("test-services"),
    },
  ];
}

function contextScaffold(model: ServerModel): string {
  const name =
    needsAuthentication(model) && model.auth === undefined
      ? "context-with-authentication"
      : "context";
  return projectModule(name);
}

/** The text of a module that projects have unchanged. */
const projectModule = (name: string): string => readPackaged(`templates/project/${name}.ts`);
