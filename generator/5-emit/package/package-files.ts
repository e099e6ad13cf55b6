import type { JsonObject } from "../../model/json.js";
import type { OutputFile } from "../../model/output-file.js";
import type { ServerModel } from "../../model/server-model.js";
import { jsonText } from "../project/json-text.js";
import { manifestView } from "../project/manifest-view.js";
import { renderTemplate } from "../project/templates.js";
import { bundleContents } from "./mcpb.js";
import { serverJson } from "./server-json.js";

/**
 * The files for publishing the server in other ways than as an npm package, as far as the manifest asks for them.
 *
 * @param manifestPath path of the manifest, relative to the project
 */
export async function packageFiles(
  model: ServerModel,
  manifestPath = "mcp.yaml",
): Promise<OutputFile[]> {
  const { registry, mcpb = false, github = false } = model.package ?? {};
  return [
    ...(mcpb ? [jsonFile("src/generated/mcpb.json", bundleContents(model))] : []),
    ...(github ? await workflows(manifestPath, registry?.npm ?? true) : []),
    ...(registry === undefined ? [] : [jsonFile("server.json", serverJson(model, registry))]),
  ];
}

/**
 * The workflows for GitHub. People adapt them, and decide when they run and what they publish.
 *
 * @param npm true if the package is published on npm
 */
async function workflows(manifestPath: string, npm: boolean): Promise<OutputFile[]> {
  const check = await renderTemplate("workflows/check.yml", manifestView(manifestPath));
  const firstJob = npm ? "npm" : "test";
  const release = await renderTemplate("workflows/release.yml", { npm, firstJob });
  return [
    { owner: "merged", format: "text", path: ".github/workflows/check.yml", content: check },
    { owner: "merged", format: "text", path: ".github/workflows/release.yml", content: release },
  ];
}

function jsonFile(path: string, value: JsonObject): OutputFile {
  return { owner: "generated", path, content: `${jsonText(value)}\n` };
}
