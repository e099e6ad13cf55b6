import { stringify } from "yaml";
import type { JsonObject } from "../../model/json.js";
import type { OutputFile } from "../../model/output-file.js";
import type { DeployModel, ServerModel } from "../../model/server-model.js";
import { renderTemplate } from "../project/templates.js";
import { composeFile } from "./compose.js";
import { dockerfileView } from "./dockerfile.js";
import { jsonText } from "../project/json-text.js";
import { vercelFiles } from "./vercel.js";
import { wranglerFile } from "./wrangler.js";
import { samNotes, samTemplate } from "./sam-template.js";
import { deploymentOf, disruptionBudgetsOf, kustomizationOf, serviceOf } from "./kubernetes.js";

const HEADER =
  "# Made by mcpwright from the manifest. Your own changes stay: `mcpwright generate` merges them by lines.\n";

/** The files of each key of `deploy`. */
const FILES: Readonly<
  Record<keyof DeployModel, (model: ServerModel) => OutputFile[] | Promise<OutputFile[]>>
> = {
  docker: dockerFiles,
  compose: (model) => [yamlFile("compose.yaml", composeFile(model))],
  kubernetes: kubernetesFiles,
  workers: (model) => [mergedText("wrangler.jsonc", wranglerFile(model))],
  lambda: (model) => [yamlFile("template.yaml", samTemplate(model), samNotes(model))],
  vercel: () => vercelFiles.map(([path, value]) => mergedJson(path, value)),
  // A script starts these.
  bun: () => [],
  deno: () => [],
};

/** The files that run the server elsewhere, as far as the manifest asks for them. */
export async function deployFiles(model: ServerModel): Promise<OutputFile[]> {
  const chosen = Object.entries(FILES).filter(([key]) => model.deploy?.[key as keyof DeployModel]);
  return (await Promise.all(chosen.map(([, files]) => files(model)))).flat();
}

async function dockerFiles(model: ServerModel): Promise<OutputFile[]> {
  return [
    mergedText("Dockerfile", await renderTemplate("Dockerfile", dockerfileView(model))),
    mergedText(".dockerignore", await renderTemplate("dockerignore", {})),
  ];
}

function kubernetesFiles(model: ServerModel): OutputFile[] {
  const objects = [
    ["deployment.yaml", deploymentOf(model)] as const,
    ...disruptionBudgetsOf(model).map((budget) => ["poddisruptionbudget.yaml", budget] as const),
    ["service.yaml", serviceOf(model)] as const,
  ];
  const kustomization = kustomizationOf(objects.map(([name]) => name));
  return [...objects, ["kustomization.yaml", kustomization] as const].map(([name, value]) =>
    yamlFile(`deploy/kubernetes/${name}`, value),
  );
}

/** A YAML file. Texts that YAML 1.1 reads as booleans or numbers are quoted, since some tools use that version. */
function yamlFile(path: string, value: object, notes: readonly string[] = []): OutputFile {
  const comments = notes.map((note) => `# ${note}\n`).join("");
  return mergedText(
    path,
    HEADER +
      comments +
      stringify(value, { version: "1.1", lineWidth: 0, aliasDuplicateObjects: false }),
  );
}

function mergedJson(path: string, value: JsonObject): OutputFile {
  return { owner: "merged", format: "json", path, content: `${jsonText(value)}\n` };
}

function mergedText(path: string, content: string): OutputFile {
  return { owner: "merged", format: "text", path, content };
}
