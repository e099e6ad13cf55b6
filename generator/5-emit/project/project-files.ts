import { posix } from "node:path";
import { listCost } from "../../listing/list-cost.js";
import type { OutputFile } from "../../model/output-file.js";
import type { ServerModel } from "../../model/server-model.js";
import { envExampleEntry, serverVariables } from "./env-example.js";
import { jsonText, READABLE_WIDTH } from "./json-text.js";
import { packageJson } from "./package-json.js";
import { agentsView, readmeView } from "./readme.js";
import { serverDocumentView } from "./server-document.js";
import { renderTemplate } from "./templates.js";
import { tsconfigJson } from "./tsconfig-json.js";

/**
 * The text files of a generated project: documents, package files and configuration.
 *
 * @param manifestPath path of the manifest, relative to the project
 */
export async function emitProjectFiles(
  model: ServerModel,
  manifestPath = "mcp.yaml",
): Promise<OutputFile[]> {
  const cost = model.tokenBudget === undefined ? undefined : await listCost(model);
  const [agents, readme, server, gitignore, gitattributes, prettierignore] = await Promise.all([
    renderTemplate("AGENTS.md", agentsView(model, manifestPath)),
    renderTemplate("README.md", readmeView(model, manifestPath)),
    renderTemplate("SERVER.md", serverDocumentView(model, cost)),
    renderTemplate("gitignore", {
      vercel: model.deploy?.vercel === true,
      auditFile: auditFileInProject(model) ?? null,
    }),
    renderTemplate("gitattributes", {}),
    renderTemplate("prettierignore", {}),
  ]);
  return [
    { owner: "scaffold", path: ".gitattributes", content: gitattributes },
    { owner: "scaffold", path: ".gitignore", content: gitignore },
    { owner: "scaffold", path: ".prettierignore", content: prettierignore },
    { owner: "merged", format: "text", path: "AGENTS.md", content: agents, mayPrecede: true },
    { owner: "merged", format: "text", path: "README.md", content: readme, mayPrecede: true },
    { owner: "generated", path: "SERVER.md", content: server },
    {
      owner: "merged",
      format: "json",
      path: "package.json",
      content: document(packageJson(model)),
      ...(model.version === undefined && { usersKeys: ["version"] }),
    },
    {
      owner: "merged",
      format: "json",
      path: "tsconfig.json",
      content: `${jsonText(tsconfigJson, READABLE_WIDTH)}\n`,
    },
    ...(await envExample(model)),
  ];
}

/** Where the audit log is by default, if that is a file of the project: it says who did what, and is not committed. */
function auditFileInProject({ audit, env }: ServerModel): string | undefined {
  const file = env.find(({ name }) => name === audit?.to?.env)?.default;
  if (typeof file !== "string") return undefined;
  const path = posix.normalize(file);
  return path.startsWith("/") || path.startsWith("..") ? undefined : path;
}

function document(value: Parameters<typeof jsonText>[0]): string {
  return `${jsonText(value)}\n`;
}

/** `.env.example`, if the server reads environment variables. */
async function envExample(model: ServerModel): Promise<OutputFile[]> {
  const variables = serverVariables(model);
  if (variables.length === 0) return [];
  const view = { variables: variables.map(envExampleEntry) };
  const content = await renderTemplate("env.example", view);
  return [{ owner: "merged", format: "env", path: ".env.example", content }];
}
