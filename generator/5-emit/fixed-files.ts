import { readdirSync, readFileSync } from "node:fs";
import type { OutputFile } from "../model/output-file.js";
import type { ServerModel, TransportModel } from "../model/server-model.js";
import { packageRoot } from "../text/package-root.js";
import type { FormerGeneration } from "./former/former-generation.js";
import { allFiles, fixedFile } from "./former/known-files.js";
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
import { generatedHeader } from "./typescript-printer.js";

/** Files that are copied as they are: the runtime, the harness of the contract tests, what makes the bundle, the editor's schema. */
export async function fixedFiles(
  model: ServerModel,
  former?: FormerGeneration,
): Promise<OutputFile[]> {
  const copies = [
    ...runtimeFiles("", "src/generated/runtime/", model),
    ...runtimeFiles("testing/", "test/generated/", model),
    ["src/generated/bundle.mjs", bundleScript] as const,
    ["mcp.schema.json", manifestSchema] as const,
  ];
  return [
    ...(await allFiles(copies.map(([path, read]) => fixedFile(path, former, read)))),
    { owner: "scaffold", path: "src/context.ts", content: contextScaffold(model) },
  ];
}

/** Which files of the runtime and its tests serve a feature that a manifest may leave out; the first that fits decides. */
const FEATURES: readonly (readonly [files: RegExp, uses: (model: ServerModel) => boolean])[] = [
  [
    /^http-(sessions|events)\.ts$/,
    ({ transports }) =>
      transports.some((transport) => transport.type === "http" && transport.sessions === "memory"),
  ],
  [/^metrics(-process)?\.ts$/, hasMetrics],
  [/^(asking(-[a-z]+)?|questions-contract)\.ts$/, asksAnything],
  [/^package-version\.ts$/, ({ version }) => version === undefined],
  [/^(http-tls|tls|self-signed-certificate)\.ts$/, ({ transports }) => hasTls(transports)],
  [
    /^http(-contract|-answer|-(legacy-)?fast-path|-plain-request)?\.ts$/,
    ({ transports }) => has(transports, "http"),
  ],
  [/^(http-[a-z-]+|listening-server)\.ts$/, hasNetwork],
  [
    /^(stdio(-connection|-contract)?|connection-fast-path|lines|message-outline)\.ts$/,
    ({ transports }) => has(transports, "stdio"),
  ],
  [
    /^(legacy-(calls|request)|plain-(answer|calls|request))\.ts$/,
    ({ transports }) => has(transports, "http") || has(transports, "stdio"),
  ],
  [/^sse(-contract)?\.ts$/, ({ transports }) => has(transports, "sse")],
  [/^websocket(-[a-z]+)?\.ts$/, ({ transports }) => has(transports, "websocket")],
  [/^custom-(transport|contract)\.ts$/, ({ transports }) => has(transports, "custom")],
  // The suite of the examples uses that of the tools.
  [/^((tools|validators|examples)-contract|beyond-limits)\.ts$/, ({ tools }) => tools.length > 0],
  [
    /^(refused-values|plain-(constraints|places)|constraint-messages)\.ts$/,
    (model) => model.tools.length > 0 || asksAnything(model),
  ],
  [/^prompts(-contract)?\.ts$/, hasPrompts],
  [/^(resources(-contract)?|resource-[a-z]+|uri-template)\.ts$/, hasResources],
  [/^changes-contract\.ts$/, (model) => itemsOf(model).length > 0],
  [/^completion\.ts$/, completesAnything],
  [/^item-scopes\.ts$/, needsScopes],
  // Made for each project, by contract-tests.
  [/^client-parts\.ts$/, () => false],
];

function has(transports: readonly TransportModel[], type: TransportModel["type"]): boolean {
  return transports.some((transport) => transport.type === type);
}

function isNeeded(name: string, model: ServerModel): boolean {
  return FEATURES.find(([files]) => files.test(name))?.[1](model) ?? true;
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

/** A file of the project that is a copy, and what reads it. */
type Copy = readonly [path: string, read: () => string];

/** @param part the folder inside that of the runtime */
function runtimeFiles(part: string, target: string, model: ServerModel): Copy[] {
  const folder = `templates/runtime/${part}`;
  const names = readdirSync(new URL(folder, packageRoot)).filter(
    (name) => name.endsWith(".ts") && !/^sample-|\.test\.ts$/.test(name) && isNeeded(name, model),
  );
  return names
    .sort()
    .map((name): Copy => [target + name, () => `${generatedHeader}\n\n${readText(folder + name)}`]);
}

/** @param path from the folder of the package */
function readText(path: string): string {
  return readFileSync(new URL(path, packageRoot), "utf8");
}
