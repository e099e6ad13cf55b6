import { isJsonObject, type JsonObject } from "../model/json.js";
import type { ManifestTool } from "../model/manifest.js";
import type { ResourceModel, ToolModel } from "../model/server-model.js";
import { appUri, AUTO_PAGE } from "../text/app-uri.js";
import { itemNames } from "../text/names.js";
import { appView } from "./app-view.js";
import { wireFields } from "../model/pick.js";
import { itemSettings } from "./settings.js";

/** The MIME type of an MCP App's page. */
const APP_MIME_TYPE = "text/html;profile=mcp-app";

/**
 * The `_meta` of a tool. A tool with an app gets the app's URI beside the author's members: under the
 * extension's key `ui`, and under `ui/resourceUri` for older clients.
 */
export function withApp(tool: ManifestTool): JsonObject {
  const authored = wireFields(tool, ["_meta"]);
  if (tool.ui === undefined) return authored;
  const meta = isJsonObject(authored["_meta"]) ? authored["_meta"] : {};
  const ui = isJsonObject(meta["ui"]) ? meta["ui"] : {};
  const resourceUri = appUri(tool.name);
  return { _meta: { ...meta, ui: { ...ui, resourceUri }, "ui/resourceUri": resourceUri } };
}

/**
 * The resource that holds the page of each tool that has an app. Who may not use the tool does not get its page.
 *
 * @param models the models of the tools
 */
export function appResources(
  tools: readonly ManifestTool[],
  models: readonly ToolModel[],
): ResourceModel[] {
  const byName = new Map(models.map((model) => [model.name, model]));
  return tools.flatMap(({ name, title, ui, groups, scopes }): ResourceModel[] => {
    if (ui === undefined) return [];
    const { file, ...settings } = typeof ui === "string" ? { file: ui } : ui;
    const item = `${name} app`;
    const uri = appUri(name);
    const wire = {
      uri,
      name: item,
      ...(title !== undefined && { title }),
      description: `What clients show for ${name}.`,
      mimeType: APP_MIME_TYPE,
      ...(Object.keys(settings).length > 0 && { _meta: { ui: settings as JsonObject } }),
    };
    const model = byName.get(name);
    return [
      {
        kind: "resource",
        name: item,
        ...itemNames(item),
        uri,
        mimeType: APP_MIME_TYPE,
        wire,
        subscribe: false,
        ...itemSettings({ ...(groups && { groups }), ...(scopes && { scopes }) }),
        behaviour:
          file === AUTO_PAGE && model !== undefined
            ? { kind: "app", view: appView(model) }
            : { kind: "file", path: file },
      },
    ];
  });
}
