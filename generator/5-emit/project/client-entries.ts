import type { JsonObject } from "../../model/json.js";
import type {
  EnvVariableModel,
  HttpTransportModel,
  ServerModel,
} from "../../model/server-model.js";
import { FEATURES } from "../features.js";
import { needsAuthentication } from "../../model/authentication.js";
import { commandName, hasStdio, httpTransport, localUrl } from "./package-json.js";

/** How one client is told about the server: the file to edit and the entry to put there. */
export interface ClientEntry {
  readonly client: string;
  readonly file: string;
  readonly transport: string;
  readonly entry: JsonObject;
}

/** Entries for the clients that people use most, over each declared transport that the client speaks. */
export function clientEntries(model: ServerModel): ClientEntry[] {
  const http = httpTransport(model);
  return [
    ...(hasStdio(model) ? stdioEntries(model, fromCheckout) : []),
    ...(http === undefined ? [] : httpEntries(model, localUrl(http))),
  ];
}

/** Whether clients over HTTP can sign their users in: the manifest says where tokens come from. */
export function signsIn(model: ServerModel): boolean {
  return httpTransport(model) !== undefined && FEATURES.tokens(model);
}

/**
 * The variable with the token that a client sends: a key, or a token that people have got by
 * themselves. Undefined where no client needs one.
 */
export function tokenVariable(model: ServerModel): string | undefined {
  if (!needsAuthentication(model) || httpTransport(model) === undefined) return undefined;
  if (signsIn(model) && model.auth?.apiKeys === undefined) return undefined;
  const name = `${commandName(model)
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")}_TOKEN`;
  return /^[A-Z]/.test(name) ? name : `MCP_${name.replace(/^_+/, "")}`;
}

/** @param launch how the server is started, whose checkout has this place in entries of that client */
function stdioEntries(model: ServerModel, launch: (folder: string) => Launch): ClientEntry[] {
  const name = commandName(model);
  const needed = model.env.filter(isAsked);
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
  const over = { transport: "stdio" };
  return [
    { ...over, ...CLAUDE_DESKTOP, entry: { mcpServers: { [name]: claude } } },
    { ...over, ...CLAUDE_CODE, entry: { mcpServers: { [name]: code } } },
    {
      ...over,
      ...VS_CODE,
      entry: {
        ...(needed.length > 0 && { inputs: needed.map(promptInput) }),
        servers: { [name]: { type: "stdio", ...visualStudio } },
      },
    },
    { ...over, ...CURSOR, entry: { mcpServers: { [name]: cursor } } },
  ];
}

function httpEntries(model: ServerModel, url: string): ClientEntry[] {
  const variable = tokenVariable(model);
  if (!signsIn(model)) return entriesFor(model, "HTTP", url, variable);
  const entries = entriesFor(model, "HTTP, signing its user in", publicUrl(model));
  if (variable === undefined) return entries;
  return [...entries, ...entriesFor(model, "HTTP, with a key", url, variable)];
}

/** The address under which clients of this machine use a checkout's server over HTTP. */
export function clientUrl(model: ServerModel, http: HttpTransportModel): string {
  const resource = model.auth?.resource;
  return signsIn(model) && typeof resource === "string" ? resource : localUrl(http);
}

/** How a client starts the server. */
interface Launch extends JsonObject {
  readonly command: string;
  readonly args: string[];
}

function fromCheckout(folder: string): Launch {
  return { command: "node", args: [`${folder}/dist/src/main.js`, "--stdio"] };
}

/**
 * The entries of clients that install the published package, or that use the running server where they
 * do not start it themselves.
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

/** The URL that tokens are for: under another, clients would ask for tokens that are refused. */
function publicUrl({ auth }: ServerModel): string {
  const resource = auth?.resource ?? "";
  return typeof resource === "string" ? resource : `<your ${resource.env}>`;
}

/** @param variable The one with the token that is sent; undefined where none is. */
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
  const asked = variable === undefined ? undefined : tokenInput(variable, name);
  const code = { type: "http", ...sending(variable && `\${${variable}}`) };
  const visualStudio = { type: "http", ...sending(asked && `\${input:${asked.id}}`) };
  const cursor = sending(variable && `\${env:${variable}}`);
  return [
    { transport, ...CLAUDE_CODE, entry: { mcpServers: { [name]: code } } },
    {
      transport,
      ...VS_CODE,
      entry: {
        ...(asked !== undefined && { inputs: [asked] }),
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

/** Whoever starts the server must give these; the others have a default or may be absent. */
function isAsked({ required, secret, default: value }: EnvVariableModel): boolean {
  return value === undefined && (required || secret);
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
