import { CREDENTIALS } from "../../credentials/index.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import type { ServerModel } from "../../model/server-model.js";
import { networkKinds } from "../../model/transports.js";
import {
  commandName,
  hasDatabase,
  hasPage,
  hasStdio,
  httpTransport,
  opensHttpConnections,
  privateKeys,
  readsTokens,
  servedFiles,
  servedFolders,
  sharesState,
  shownCredentials,
} from "../model-facts.js";
import { packageKinds } from "../package/package-files.js";
import { runtimeScripts } from "../deploy/runtimes.js";
import { localUrl } from "./local-url.js";
import { packagesOfBodies } from "../bodies/body-kinds.js";
import { runtimeDependency } from "./runtime-package.js";
import { serverVariables } from "./env-example.js";
import {
  dependencyVersions,
  inspectorNodeVersion,
  nodeVersion,
  sqliteNodeVersion,
  unneededScripts,
  type PackageName,
} from "./dependency-versions.js";

/** The whole server in one file, which runs without any package. */
const BUNDLE = "dist/bundle.mjs";

/** The version of a new project whose manifest states none. */
const FIRST_VERSION = "0.1.0";

/** The `package.json` of the manifest. `6-reconcile` merges it into the project's own, key by key. */
export function packageJson(model: ServerModel): JsonObject {
  return {
    name: model.name,
    version: model.version ?? FIRST_VERSION,
    ...(model.description !== undefined && { description: withoutLastLineEnds(model.description) }),
    ...(model.package?.registry !== undefined && { mcpName: model.package.registry.name }),
    keywords: [...new Set(["mcp", ...(model.keywords ?? [])])],
    ...(model.websiteUrl !== undefined && { homepage: model.websiteUrl }),
    ...(model.license !== undefined && { license: model.license }),
    ...(model.author !== undefined && { author: model.author }),
    ...(model.repository !== undefined && { repository: repositoryOf(model.repository) }),
    type: "module",
    engines: { node: neededNode(model) },
    bin: { [commandName(model)]: BUNDLE },
    files: publishedFiles(model),
    scripts: scripts(model),
    devDependencies: {
      ...runtimeDependency(),
      ...pick([...tools(model), ...bundledPackages(model)].sort()),
    },
    allowScripts: unneededScripts,
  };
}

/** The range of Node.js versions that the server needs. */
function neededNode(model: ServerModel): string {
  return `>=${hasDatabase(model, "sqlite") ? sqliteNodeVersion : nodeVersion}`;
}

/** Removes the final line ends, which a YAML block adds to a text. */
function withoutLastLineEnds(text: string): string {
  let end = text.length;
  while (text[end - 1] === "\n") end -= 1;
  return text.slice(0, end);
}

/** npm needs the type of a repository besides its URL. */
function repositoryOf(repository: JsonValue): JsonValue {
  return isJsonObject(repository) ? { type: "git", ...repository } : repository;
}

/** The entries of `files`: everything that a published server needs at run time, without what clients cannot read. */
function publishedFiles(model: ServerModel): string[] {
  // npm does not find a folder by a pattern with backslashes. It does find the files in it.
  const filesBelow = (isHidden: boolean): string[] =>
    servedFolders(model)
      .filter(({ hidden }) => hidden === isHidden)
      .map(({ path }) => `${literalPattern(path)}/**`);
  const visible = filesBelow(false);
  const unread = visible.map((pattern) => `!${pattern}/.*`);
  // The last pattern that matches a file decides, so a folder with hidden files may be within another one.
  const read = [...filesBelow(true), ...servedFiles(model).map(literalPattern)];
  return [BUNDLE, "SERVER.md", ...visible, ...unread, ...read];
}

/** npm reads the entries of `files` as patterns. This pattern matches one path, relative to the root. */
function literalPattern(path: string): string {
  return `/${path.replace(/[*?[\]{}()!+@\\]/g, "\\$&")}`;
}

function scripts(model: ServerModel): JsonObject {
  const start = `node --enable-source-maps ${BUNDLE}${dotenv(model)}`;
  return {
    // Not `tsx watch`: it restarts at each line on stdin, so at each message of a client.
    dev: ["node --watch", ...sourceOptions, ...sourceArguments(model)].join(" "),
    build: "mcpwright-runtime compile && mcpwright-runtime bundle",
    start,
    // The pattern has no `$` and no backslash, which the shell of yarn does not take in quotes.
    test: 'mcpwright-runtime compile && uvu dist/test "[.]test[.]js(?!.)"',
    typecheck: "tsc --noEmit",
    mock: `npm run build && ${start} --mock`,
    ...(canBeInspected(model) && {
      preinspect: `mcpwright-runtime check-node ${inspectorNodeVersion} "The MCP Inspector"`,
      inspect: inspectScript(model),
    }),
    ...(hasPage(model) && {
      page: "mcpwright-runtime compile && node dist/src/generated/write-page.js",
    }),
    ...Object.fromEntries(
      packageKinds(model).flatMap(({ script }) =>
        script === undefined ? [] : [[script.name, script.command(model)]],
      ),
    ),
    ...runtimeScripts(model, `${BUNDLE}${dotenv(model)}`),
    prepack: "npm run build",
  };
}

/** Options of Node.js that let it run TypeScript. */
export const sourceOptions = ["--import", "tsx"] as const;

/** The module and arguments with which Node.js runs the server from source, in the project's folder. */
export function sourceArguments(model: ServerModel): string[] {
  return ["src/main.ts", ...dotenv(model).split(" ").filter(Boolean)];
}

/** The argument that loads `.env`, if the server reads variables. The runtime ignores a missing file. */
function dotenv(model: ServerModel): string {
  return serverVariables(model).length > 0 ? " --dotenv .env" : "";
}

/** True if the Inspector supports one of the server's transports. */
export function canBeInspected({ transports }: ServerModel): boolean {
  return transports.some(({ type }) => type === "stdio" || type === "http");
}

/** The Inspector starts a stdio server itself; an HTTP server must be running already. */
function inspectScript(model: ServerModel): string {
  const inspector = `npx @modelcontextprotocol/inspector@${dependencyVersions["@modelcontextprotocol/inspector"]}`;
  const http = httpTransport(model);
  if (hasStdio(model) || http === undefined) {
    return `npm run build && ${inspector} node ${BUNDLE} --stdio${dotenv(model)}`;
  }
  return `${inspector} --transport http --server-url "${localUrl(http)}"`;
}

/** The tools of the project's scripts, and the types of packages. */
function tools(model: ServerModel): PackageName[] {
  return [
    ...packageKinds(model).flatMap(({ packages = [] }) => packages),
    "@modelcontextprotocol/client",
    // The project's own transport is written against the classes of the SDK.
    ...(model.transports.some(({ type }) => type === "custom")
      ? ["@modelcontextprotocol/server" as const]
      : []),
    "@types/node",
    ...(hasDatabase(model, "postgres") ? ["@types/pg" as const] : []),
    "esbuild",
    "tsx",
    "typescript",
    "uvu",
  ];
}

/** The packages that the runtime needs for what the server uses. They become part of the bundle. */
function bundledPackages(model: ServerModel): PackageName[] {
  const egress = opensHttpConnections(model) || readsTokens(model) ? (["ipaddr.js"] as const) : [];
  const http = opensHttpConnections(model) ? (["undici"] as const) : [];
  const postgres = hasDatabase(model, "postgres") ? (["pg"] as const) : [];
  const search = model.exposure !== undefined ? (["stemmer"] as const) : [];
  const telemetry = model.telemetry === true ? (["@opentelemetry/api"] as const) : [];
  const keys = privateKeys(model).length > 0 ? (["jose"] as const) : [];
  const redis = sharesState(model) ? (["@redis/client", "rate-limiter-flexible"] as const) : [];
  return [
    ...telemetry,
    ...redis,
    ...keys,
    ...shownCredentials(model).flatMap(({ kind }) => CREDENTIALS[kind].packages),
    ...packagesOfBodies(model),
    ...egress,
    ...http,
    ...postgres,
    ...search,
    ...networkKinds(model).flatMap(({ packages = [] }) => packages),
  ];
}

function pick(names: readonly PackageName[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, dependencyVersions[name]]));
}
