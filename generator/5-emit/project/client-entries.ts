import { CREDENTIALS } from "../../credentials/index.js";
import type { JsonObject } from "../../model/json.js";
import type { EnvVariableModel, ServerModel } from "../../model/server-model.js";
import type { HttpTransportModel } from "../../model/transports.js";
import { commandName, hasStdio, httpTransport, readsTokens } from "../model-facts.js";
import { needsAuthentication } from "../../model/authentication.js";
import { localUrl } from "./local-url.js";

/** The configuration of one client: the file to edit, and the entry to add to it. */
export interface ClientEntry {
  readonly client: string;
  readonly file: string;
  readonly transport: string;
  readonly entry: JsonObject;
}

/** Entries for common clients, one for each declared transport that the client supports. */
export function clientEntries(model: ServerModel): ClientEntry[] {
  const http = httpTransport(model);
  return [
    ...(hasStdio(model) ? stdioEntries(model, fromCheckout) : []),
    ...(http === undefined ? [] : httpEntries(model, localUrl(http))),
  ];
}

/** True if clients over HTTP can sign their users in, since the manifest names the issuer of tokens. */
export function signsIn(model: ServerModel): boolean {
  return httpTransport(model) !== undefined && readsTokens(model);
}

/**
 * Name of the environment variable with the token that a client sends: an API key, or a token that its user
 * obtained. Undefined if clients send no token, or obtain it themselves.
 */
export function tokenVariable(model: ServerModel): string | undefined {
  if (!needsAuthentication(model) || httpTransport(model) === undefined) return undefined;
  const areTokens = model.auth?.credentials.every(({ kind }) => CREDENTIALS[kind].isToken);
  if (signsIn(model) && areTokens) return undefined;
  const name = `${commandName(model)
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")}_TOKEN`;
  return /^[A-Z]/.test(name) ? name : `MCP_${name.replace(/^_+/, "")}`;
}

/** @param launch makes the command that starts the server, from the client's path of the project folder */
function stdioEntries(model: ServerModel, launch: (folder: string) => Launch): ClientEntry[] {
  const name = commandName(model);
  const needed = model.env.filter(isNeeded);
  const entry = (folder: string, placeholder: (variable: EnvVariableModel) => string) => ({
    ...launch(folder),
    ...(needed.length > 0 && {
      env: Object.fromEntries(needed.map((variable) => [variable.name, placeholder(variable)])),
    }),
  });
  const claude = entry(`/path/to/${name}`, (variable) => `<your ${variable.name}>`);
  const code = entry(".", (variable) => `\${${variable.name}}`);
  const visualStudio = entry("${workspaceFolder}", (variable) => `\${input:${inputId(variable)}}`);
  const cursor = entry("${workspaceFolder}", (variable) => `\${env:${variable.name}}`);
  const transport = "stdio";
  return [
    { transport, ...CLAUDE_DESKTOP, entry: { mcpServers: { [name]: claude } } },
    { transport, ...CLAUDE_CODE, entry: { mcpServers: { [name]: code } } },
    {
      transport,
      ...VS_CODE,
      entry: {
        ...(needed.length > 0 && { inputs: needed.map(promptInput) }),
        servers: { [name]: { type: "stdio", ...visualStudio } },
      },
    },
    { transport, ...CURSOR, entry: { mcpServers: { [name]: cursor } } },
  ];
}

function httpEntries(model: ServerModel, url: string): ClientEntry[] {
  const variable = tokenVariable(model);
  if (!signsIn(model)) return entriesFor(model, "HTTP", url, variable);
  const entries = entriesFor(model, "HTTP, signing its user in", publicUrl(model));
  if (variable === undefined) return entries;
  return [...entries, ...entriesFor(model, "HTTP, with a key", url, variable)];
}

/** The URL by which clients on the same machine reach a server that runs from its project folder. */
export function clientUrl(model: ServerModel, http: HttpTransportModel): string {
  const resource = model.auth?.resource;
  return signsIn(model) && typeof resource === "string" ? resource : localUrl(http);
}

/** The command by which a client starts the server. */
interface Launch extends JsonObject {
  readonly command: string;
  readonly args: string[];
}

function fromCheckout(folder: string): Launch {
  const args = ["--enable-source-maps", `${folder}/dist/bundle.mjs`, "--stdio"];
  return { command: "node", args };
}

/**
 * The entries of clients that start the published package. If the server has no stdio, clients do not start it
 * and the entries have the URL of the running server.
 */
export function publishedEntries(model: ServerModel): ClientEntry[] {
  const http = httpTransport(model);
  if (hasStdio(model)) {
    return stdioEntries(model, () => ({ command: "npx", args: ["-y", model.name, "--stdio"] }));
  }
  if (http === undefined) return [];
  const url = model.package?.registry?.url ?? clientUrl(model, http);
  return entriesFor(model, "HTTP", url, signsIn(model) ? undefined : tokenVariable(model));
}

/** The URL for which tokens are issued. With another URL, clients would get tokens that the server refuses. */
function publicUrl({ auth }: ServerModel): string {
  const resource = auth?.resource ?? "";
  return typeof resource === "string" ? resource : `<your ${resource.env}>`;
}

/** @param variable name of the environment variable with the token; undefined if clients send none */
function entriesFor(
  model: ServerModel,
  transport: string,
  url: string,
  variable?: string,
): ClientEntry[] {
  const name = commandName(model);
  const sending = (token: string | undefined) => ({
    url,
    ...(token !== undefined && { headers: { Authorization: `Bearer ${token}` } }),
  });
  const input = variable === undefined ? undefined : tokenInput(variable, name);
  const code = { type: "http", ...sending(variable && `\${${variable}}`) };
  const visualStudio = { type: "http", ...sending(input && `\${input:${input.id}}`) };
  const cursor = sending(variable && `\${env:${variable}}`);
  return [
    { transport, ...CLAUDE_CODE, entry: { mcpServers: { [name]: code } } },
    {
      transport,
      ...VS_CODE,
      entry: {
        ...(input !== undefined && { inputs: [input] }),
        servers: { [name]: visualStudio },
      },
    },
    { transport, ...CURSOR, entry: { mcpServers: { [name]: cursor } } },
  ];
}

const CLAUDE_DESKTOP = { client: "Claude Desktop", file: "claude_desktop_config.json" };
const CLAUDE_CODE = { client: "Claude Code", file: ".mcp.json" };
const VS_CODE = { client: "VS Code", file: ".vscode/mcp.json" };
const CURSOR = { client: "Cursor", file: ".cursor/mcp.json" };

/** True for a variable that an entry over stdio must set: it has no default, and is required or secret. */
function isNeeded({ required, secret, network, default: value }: EnvVariableModel): boolean {
  return value === undefined && (required || secret) && network !== true;
}

function inputId({ name }: Pick<EnvVariableModel, "name">): string {
  return name.toLowerCase().replaceAll("_", "-");
}

function promptInput(variable: EnvVariableModel): JsonObject {
  return {
    type: "promptString",
    id: inputId(variable),
    description: variable.description?.trim() ?? variable.name,
    ...(variable.secret && { password: true }),
  };
}

function tokenInput(variable: string, server: string) {
  const description = `Token for ${server}`;
  return { type: "promptString", id: inputId({ name: variable }), description, password: true };
}
