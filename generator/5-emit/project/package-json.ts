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

/** Where the version is the project's own, a new one starts with it. */
const FIRST_VERSION = "0.1.0";

/** `package.json` as this run would write it; 6-reconcile merges it key by key. */
export function packageJson(model: ServerModel): JsonObject {
  return {
    name: model.name,
    version: model.version ?? FIRST_VERSION,
    ...(model.description !== undefined && { description: withoutLastLineEnds(model.description) }),
    keywords: [...new Set(["mcp", ...(model.keywords ?? [])])],
    ...(model.websiteUrl !== undefined && { homepage: model.websiteUrl }),
    ...(model.license !== undefined && { license: model.license }),
    ...(model.author !== undefined && { author: model.author }),
    ...(model.repository !== undefined && { repository: repositoryOf(model.repository) }),
    type: "module",
    engines: { node: `>=${FEATURES.sqlite(model) ? sqliteNodeVersion : nodeVersion}` },
    bin: { [commandName(model)]: "dist/src/main.js" },
    ...(hasValidators(model) && { imports: { [VALIDATOR_MODULES]: `./${VALIDATORS}/*` } }),
    files: publishedFiles(model),
    scripts: scripts(model),
    dependencies: dependencies(model),
    devDependencies: pick([
      "@modelcontextprotocol/client",
      "@types/node",
      ...(FEATURES.postgres(model) ? ["@types/pg" as const] : []),
      ...(hasWebSocket(model) ? ["@types/ws" as const] : []),
      "esbuild",
      "tsx",
      "typescript",
      "uvu",
    ]),
  };
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
  const resources = model.resources.flatMap(({ behaviour }) =>
    behaviour.kind === "file" ? [literalPattern(behaviour.path)] : [],
  );
  const validators = hasValidators(model) ? [VALIDATORS] : [];
  return ["dist/src", ...validators, "SERVER.md", ...new Set(resources)];
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
  const upstreams = FEATURES.upstreams(model) ? (["ipaddr.js", "undici"] as const) : [];
  const postgres = FEATURES.postgres(model) ? (["pg"] as const) : [];
  const search = FEATURES.search(model) ? (["stemmer"] as const) : [];
  const jwt = FEATURES.jwt(model) ? (["jose"] as const) : [];
  const own = [...jwt, ...upstreams, ...postgres, ...search, ...webSocket].sort();
  return pick(["@modelcontextprotocol/server", ...own]);
}

function hasWebSocket({ transports }: ServerModel): boolean {
  return transports.some(({ type }) => type === "websocket");
}

function pick(names: readonly (keyof typeof dependencyVersions)[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, dependencyVersions[name]]));
}
