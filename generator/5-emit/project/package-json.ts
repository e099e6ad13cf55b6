import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import type { AddressModel, HttpTransportModel, ServerModel } from "../../model/server-model.js";
import { FEATURES } from "../features.js";
import { hasValidators } from "../modules/asking.js";
import { VALIDATOR_MODULES } from "../validators/validator-requests.js";
import { serverVariables } from "./env-example.js";
import {
  dependencyVersions,
  inspectorNodeVersion,
  nodeVersion,
  sqliteNodeVersion,
} from "./dependency-versions.js";

/** The package's name without its scope; also the command that it installs. */
export function commandName(model: ServerModel): string {
  return model.name.slice(model.name.indexOf("/") + 1);
}

export function httpTransport(model: ServerModel): HttpTransportModel | undefined {
  return model.transports.find((transport) => transport.type === "http");
}

export function hasStdio(model: ServerModel): boolean {
  return model.transports.some((transport) => transport.type === "stdio");
}

/** Where a client on the same machine finds the server; safe in a shell command as it stands. */
export function localUrl(transport: AddressModel & Pick<HttpTransportModel, "tls">): string {
  const { port, path, tls } = transport;
  const host = withoutBrackets(transport.host);
  const named = host.includes(":") ? `[${host}]` : host;
  const name = isEveryAddress(host) ? "127.0.0.1" : named;
  const scheme = tls === undefined ? "http" : "https";
  return `${scheme}://${name}:${port}${path}`.replace(/[^\w:/.~%[\]-]/gu, percentEncoded);
}

/** Whether a server that listens on this host does so on every address of its machine. */
export function isEveryAddress(host: string): boolean {
  return ["0.0.0.0", "::"].includes(withoutBrackets(host));
}

/** An IPv6 address as it stands outside of URLs. */
function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, "");
}

function percentEncoded(character: string): string {
  const bytes = [...Buffer.from(character)];
  return bytes.map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
}

/** Made only where there are tools to validate for; it is no TypeScript, so the compiler does not copy it to `dist/`. */
const VALIDATORS = "src/generated/validators";

/** Tests use it everywhere; a server itself only where it asks other MCP servers. */
const CLIENT = "@modelcontextprotocol/client" as const;

/** Where the version is the project's own, a new one starts with it. */
const FIRST_VERSION = "0.1.0";

/** `package.json` as this run would write it; 6-reconcile merges it key by key. */
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
    bin: { [commandName(model)]: "dist/src/main.js" },
    ...(hasValidators(model) && { imports: { [VALIDATOR_MODULES]: `./${VALIDATORS}/*` } }),
    files: publishedFiles(model),
    scripts: scripts(model),
    dependencies: dependencies(model),
    devDependencies: pick([
      ...(model.package?.mcpb === true ? ["@anthropic-ai/mcpb" as const] : []),
      ...(FEATURES.remoteServers(model) ? [] : [CLIENT]),
      "@types/node",
      ...(FEATURES.postgres(model) ? ["@types/pg" as const] : []),
      ...(hasWebSocket(model) ? ["@types/ws" as const] : []),
      "esbuild",
      ...(FEATURES.clients(model) ? ["jsonc-parser" as const] : []),
      "tsx",
      "typescript",
      "uvu",
    ]),
  };
}

/** The versions of Node.js that the server runs on. */
export function neededNode(model: ServerModel): string {
  return `>=${FEATURES.sqlite(model) ? sqliteNodeVersion : nodeVersion}`;
}

/** A block of YAML ends with a line end, which is no part of what it says. */
function withoutLastLineEnds(text: string): string {
  let end = text.length;
  while (text[end - 1] === "\n") end -= 1;
  return text.slice(0, end);
}

/** npm wants the type said beside a URL. */
function repositoryOf(repository: JsonValue): JsonValue {
  return isJsonObject(repository) ? { type: "git", ...repository } : repository;
}

/** What a packed server needs at run time. */
function publishedFiles(model: ServerModel): string[] {
  const validators = hasValidators(model) ? [VALIDATORS] : [];
  return ["dist/src", ...validators, "SERVER.md", ...servedFiles(model).map(literalPattern)];
}

/** The files that resources are, from the project's folder. */
export function servedFiles({ resources }: ServerModel): string[] {
  const paths = resources.flatMap(({ behaviour }) =>
    behaviour.kind === "file" ? [behaviour.path] : [],
  );
  return [...new Set(paths)];
}

/** npm reads the entries of `files` as patterns; this one matches the path itself, from the root only. */
function literalPattern(path: string): string {
  return `/${path.replace(/[*?[\]{}()!+@\\]/g, "\\$&")}`;
}

/** Not a build: where a server is deployed, its compiler is not installed. */
const NEEDS_BUILD =
  "fs.existsSync('dist/src/main.js') || (console.error('There is no build yet. Run: npm run build'), process.exit(1))";

/** Says which Node.js the Inspector needs: on an older one its own failure does not. */
function inspectorCheck(): string {
  const [major, minor] = inspectorNodeVersion.split(".").map(Number);
  const needed = `The MCP Inspector needs Node.js ${inspectorNodeVersion} or newer; this is `;
  return (
    "const [major, minor] = process.versions.node.split('.').map(Number); " +
    `major > ${major} || (major === ${major} && minor >= ${minor}) || ` +
    `(console.error('${needed}' + process.versions.node), process.exit(1))`
  );
}

function scripts(model: ServerModel): JsonObject {
  const start = `node --enable-source-maps dist/src/main.js${dotenv(model)}`;
  return {
    // Not `tsx watch`: that takes each line on stdin, so each message of a client, as a wish to restart.
    dev: ["node --watch", ...sourceArguments(model)].join(" "),
    // Starts from an empty folder, so that no test or module of a removed item outlives its source.
    build: `node -e "fs.rmSync('dist', { recursive: true, force: true })" && tsc`,
    bundle: "node src/generated/bundle.mjs",
    prestart: `node -e "${NEEDS_BUILD}"`,
    start,
    test: 'npm run build && uvu dist/test "\\.test\\.js$"',
    typecheck: "tsc --noEmit",
    mock: `npm run build && ${start} --mock`,
    ...(canBeInspected(model) && {
      preinspect: `node -e "${inspectorCheck()}"`,
      inspect: inspectScript(model),
    }),
    ...(FEATURES.page(model) && {
      page: "npm run build && node dist/src/generated/write-page.js",
    }),
    ...(model.package?.mcpb === true && {
      mcpb: `npm run bundle && node src/generated/mcpb.mjs && mcpb pack dist/mcpb dist/${commandName(model)}.mcpb`,
    }),
    ...(FEATURES.clients(model) && {
      "install:client": "npm run build && node dist/src/generated/install-client.js",
    }),
    prepack: "npm run build",
  };
}

/** Arguments of Node.js, in the project's folder, that run the server from source. */
export function sourceArguments(model: ServerModel): string[] {
  return ["--import", "tsx", "src/main.ts", ...dotenv(model).split(" ").filter(Boolean)];
}

/** The runtime takes a file that is not there for an empty one. */
function dotenv(model: ServerModel): string {
  return serverVariables(model).length > 0 ? " --dotenv .env" : "";
}

/** Whether the Inspector speaks one of the server's transports. */
export function canBeInspected({ transports }: ServerModel): boolean {
  return transports.some(({ type }) => type === "stdio" || type === "http");
}

/** The Inspector starts a stdio server itself; an HTTP server must be running already. */
function inspectScript(model: ServerModel): string {
  const inspector = `npx @modelcontextprotocol/inspector@${dependencyVersions["@modelcontextprotocol/inspector"]}`;
  const http = httpTransport(model);
  if (hasStdio(model) || http === undefined) {
    return `npm run build && ${inspector} node dist/src/main.js --stdio${dotenv(model)}`;
  }
  return `${inspector} --transport http --server-url "${localUrl(http)}"`;
}

function dependencies(model: ServerModel): JsonObject {
  const webSocket = hasWebSocket(model) ? (["ws"] as const) : [];
  const http = FEATURES.httpConnections(model) ? (["ipaddr.js", "undici"] as const) : [];
  const client = FEATURES.remoteServers(model) ? ([CLIENT] as const) : [];
  const postgres = FEATURES.postgres(model) ? (["pg"] as const) : [];
  const search = FEATURES.search(model) ? (["stemmer"] as const) : [];
  const jwt = FEATURES.jwt(model) ? (["jose"] as const) : [];
  const directories = FEATURES.directories(model) ? (["mime"] as const) : [];
  const telemetry = FEATURES.telemetry(model) ? (["@opentelemetry/api"] as const) : [];
  const redis = FEATURES.scale(model) ? (["@redis/client"] as const) : [];
  const rates = FEATURES.sharedRates(model) ? (["rate-limiter-flexible"] as const) : [];
  const shared = [...redis, ...rates];
  const own = [
    ...shared,
    ...jwt,
    ...directories,
    ...http,
    ...postgres,
    ...search,
    ...webSocket,
  ].sort();
  return pick([...client, "@modelcontextprotocol/server", ...telemetry, ...own]);
}

function hasWebSocket({ transports }: ServerModel): boolean {
  return transports.some(({ type }) => type === "websocket");
}

function pick(names: readonly (keyof typeof dependencyVersions)[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, dependencyVersions[name]]));
}
