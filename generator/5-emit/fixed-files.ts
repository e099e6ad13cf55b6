import type { OutputFile } from "../model/output-file.js";
import type { ServerModel } from "../model/server-model.js";
import { needsAuthentication } from "../model/authentication.js";
import { readPackaged } from "../text/package-root.js";

/** Files that do not depend on the manifest's items. */
export function fixedFiles(model: ServerModel): OutputFile[] {
  return [
    { owner: "scaffold", path: "src/context.ts", content: contextScaffold(model) },
    {
      owner: "scaffold",
      path: "test/services.ts",
      content: readPackaged("templates/project/test-services.ts"),
    },
  ];
}

function contextScaffold(model: ServerModel): string {
  const name =
    needsAuthentication(model) && model.auth === undefined
      ? "context-with-authentication"
      : "context";
  return readPackaged(`templates/project/${name}.ts`);
}
