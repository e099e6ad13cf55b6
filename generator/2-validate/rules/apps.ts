import { appWithoutObject } from "../../model/catalogue/rules-extensions.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject } from "../../model/json.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { withEnvelope } from "../../selection/envelope.js";
import { AUTO_PAGE } from "../../text/app-uri.js";
import { schemaOfProperty } from "../../schema/input-properties.js";
import { itemsOf, mappingIn, textIn, type Mapping } from "../manifest-view.js";

/** Where a tool names the page of its app, and what it names: a file, or `auto`. Undefined if it has no app. */
export function appFileOf(tool: Mapping): { path: ManifestPath; file: string } | undefined {
  const settings = mappingIn(tool, "ui");
  const [holder, key] = settings === undefined ? [tool, "ui"] : [settings, "file"];
  const file = textIn(holder.value, key);
  return file === undefined ? undefined : { path: [...holder.path, key], file };
}

/** Checks that tools whose page is made from their output schema have one, and that it is of an object. */
export function checkApps(manifest: LoadedManifest): Diagnostic[] {
  return itemsOf(manifest, "tools").flatMap((tool) => {
    const app = appFileOf(tool);
    if (app?.file !== AUTO_PAGE) return [];
    const { outputSchema } = withEnvelope<JsonObject>(tool.value);
    const problem = problemOf(outputSchema, manifest);
    return problem === undefined
      ? []
      : [appWithoutObject(manifest.locate(app.path, "value"), { problem })];
  });
}

function problemOf(output: JsonObject[string] | undefined, manifest: LoadedManifest) {
  if (output === undefined) return "which this tool does not have";
  const { schemas } = manifest.value;
  const shared = isJsonObject(schemas) ? schemas : {};
  const schema = isJsonObject(output)
    ? schemaOfProperty({ schema: output, root: output }, shared)
    : undefined;
  return schema?.["type"] === "object" ? undefined : "which is of no object";
}
