import type { JsonObject } from "../../model/json.js";
import type { OutputFile } from "../../model/output-file.js";
import type { ServerModel } from "../../model/server-model.js";
import { jsonText } from "../project/json-text.js";
import { manifestView } from "../project/manifest-place.js";
import { renderTemplate } from "../project/templates.js";
import { readPackaged } from "../../text/package-root.js";
import { generatedHeader } from "../typescript-printer.js";
import { bundleContents } from "./mcpb.js";
import { serverJson } from "./server-json.js";

/**
 * What people get the server by, beside its npm package: only the files that the manifest asks for.
 *
 * @param manifestPath from the project's folder
 */
export async function packageFiles(
  model: ServerModel,
  manifestPath = "mcp.yaml",
): Promise<OutputFile[]> {
  const { registry, mcpb = false, github = false } = model.package ?? {};
  return [
    ...(mcpb ? bundleFiles(model) : []),
    ...(github ? await workflows(manifestPath, registry?.npm ?? true) : []),
    ...(registry === undefined ? [] : [jsonFile("server.json", serverJson(model, registry))]),
  ];
}

/** What goes into the bundle for desktop clients, and what puts it together. */
function bundleFiles(model: ServerModel): OutputFile[] {
  const script = `${generatedHeader}\n\n${readPackaged("templates/project/mcpb.mjs")}`;
  return [
    jsonFile("src/generated/mcpb.json", bundleContents(model)),
    { owner: "generated", path: "src/generated/mcpb.mjs", content: script },
  ];
}

/**
 * Workflows belong to the project's people from the start: what they run on and publish is theirs to say.
 *
 * @param npm whether the package goes to npm
 */
async function workflows(manifestPath: string, npm: boolean): Promise<OutputFile[]> {
  const check = await renderTemplate("workflows/check.yml", manifestView(manifestPath));
  const firstJob = npm ? "npm" : "test";
  const release = await renderTemplate("workflows/release.yml", { npm, firstJob });
  return [
    { owner: "scaffold", path: ".github/workflows/check.yml", content: check },
    { owner: "scaffold", path: ".github/workflows/release.yml", content: release },
  ];
}

function jsonFile(path: string, value: JsonObject): OutputFile {
  return { owner: "generated", path, content: `${jsonText(value)}\n` };
}
