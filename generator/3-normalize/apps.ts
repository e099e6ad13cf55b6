import { isJsonObject, type JsonObject } from "../model/json.js";
import type { ManifestTool } from "../model/manifest.js";
import type { ResourceModel } from "../model/server-model.js";
import { appUri } from "../text/app-uri.js";
import { itemNames } from "../text/names.js";
import { wireFields } from "./pick.js";

/** The MIME type of an MCP App's page. */
const APP_MIME_TYPE = "text/html;profile=mcp-app";

/**
 * The `_meta` of a tool that has an app: beside the author's own, under the key of the extension and
 * under the one that clients knew before it.
 */
export function withApp(tool: ManifestTool): JsonObject {
  const own = wireFields(tool, ["_meta"]);
  if (tool.ui === undefined) return own;
  const meta = isJsonObject(own["_meta"]) ? own["_meta"] : {};
  const ui = isJsonObject(meta["ui"]) ? meta["ui"] : {};
  const resourceUri = appUri(tool.name);
  return { _meta: { ...meta, ui: { ...ui, resourceUri }, "ui/resourceUri": resourceUri } };
}

/** The resource that holds the page of each tool that has an app. */
export function appResources(tools: readonly ManifestTool[]): ResourceModel[] {
  return tools.flatMap((tool) => {
    const { name, title, ui } = tool;
    if (ui === undefined) return [];
    const item = `${name} app`;
    const uri = appUri(name);
    const wire = {
      uri,
      name: item,
      ...(title !== undefined && { title }),
      description: `What clients show for ${name}.`,
      mimeType: APP_MIME_TYPE,
    };
    return [
      {
        kind: "resource",
        name: item,
        ...itemNames(item),
        uri,
        mimeType: APP_MIME_TYPE,
        wire,
        subscribe: false,
        behaviour: { kind: "file", path: ui },
      },
    ];
  });
}
