import type { OutputFile } from "../model/output-file.js";
import type { ServerModel, TransportModel } from "../model/server-model.js";
import { asksAnything, itemsOf } from "./modules/asking.js";
import { hasNetwork, needsAuthentication } from "./modules/authentication.js";
import {
  completesAnything,
  hasMetrics,
  hasPrompts,
  hasResources,
  needsScopes,
} from "./modules/runtime-parts.js";
import { hasTls } from "./modules/main-module.js";
import { copiedPath, featureOf, readText, RUNTIME, runtimePaths } from "./runtime-files.js";
import { generatedHeader } from "./typescript-printer.js";

/** Files that are copied as they are: the runtime, the harness of the contract tests, what makes the bundle, the editor's schema. */
export function fixedFiles(model: ServerModel): OutputFile[] {
  return [
    ...runtimeFiles(model),
    { owner: "generated", path: "src/generated/bundle.mjs", content: bundleScript() },
    { owner: "generated", path: "mcp.schema.json", content: manifestSchema() },
    { owner: "scaffold", path: "src/context.ts", content: contextScaffold(model) },
  ];
}

/** Says of a project whether it has a feature. `templates/runtime/features.json` says which files each needs. */
const FEATURES: Readonly<Record<string, (model: ServerModel) => boolean>> = {
  core: () => true,
  network: hasNetwork,
  http: ({ transports }) => has(transports, "http"),
  sessions: ({ transports }) =>
    transports.some((transport) => transport.type === "http" && transport.sessions === "memory"),
  tls: ({ transports }) => hasTls(transports),
  metrics: hasMetrics,
  stdio: ({ transports }) => has(transports, "stdio"),
  fastPath: ({ transports }) => has(transports, "http") || has(transports, "stdio"),
  sse: ({ transports }) => has(transports, "sse"),
  websocket: ({ transports }) => has(transports, "websocket"),
  customTransport: ({ transports }) => has(transports, "custom"),
  items: (model) => itemsOf(model).length > 0,
  tools: ({ tools }) => tools.length > 0,
  schemas: (model) => model.tools.length > 0 || asksAnything(model),
  resources: hasResources,
  prompts: hasPrompts,
  completion: completesAnything,
  asking: asksAnything,
  scopes: needsScopes,
  packageVersion: ({ version }) => version === undefined,
  madeForEachProject: () => false,
  ownTests: () => false,
};

function has(transports: readonly TransportModel[], type: TransportModel["type"]): boolean {
  return transports.some((transport) => transport.type === type);
}

/** The schema of manifests, as `init` and `generate` give it to editors. */
export function manifestSchema(): string {
  return readText("schemas/manifest.schema.json");
}

function bundleScript(): string {
  return `${generatedHeader}\n\n${readText("templates/project/bundle.mjs")}`;
}

function contextScaffold(model: ServerModel): string {
  const name = needsAuthentication(model) ? "context-with-authentication" : "context";
  return readText(`templates/project/${name}.ts`);
}

/** The files of the runtime and its suites that a project needs. */
function runtimeFiles(model: ServerModel): OutputFile[] {
  return runtimePaths()
    .filter((path) => FEATURES[featureOf(path)]?.(model))
    .map((path) => ({
      owner: "generated" as const,
      path: copiedPath(path),
      content: `${generatedHeader}\n\n${readText(RUNTIME + path)}`,
    }));
}
