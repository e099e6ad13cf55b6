import type { JsonObject } from "../../model/json.js";
import type { EnvVariableModel, ServerModel } from "../../model/server-model.js";
import { needsAuthentication } from "../modules/authentication.js";
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
    ...(hasStdio(model) ? stdioEntries(model) : []),
    ...(http === undefined ? [] : httpEntries(model, localUrl(http))),
  ];
}

/** The variable with the token of people whose client must say who they are; undefined where it need not. */
export function tokenVariable(model: ServerModel): string | undefined {
  if (!needsAuthentication(model) || httpTransport(model) === undefined) return undefined;
  const name = `${commandName(model)
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")}_TOKEN`;
  return /^[A-Z]/.test(name) ? name : `MCP_${name.replace(/^_+/, "")}`;
}

function stdioEntries(model: ServerModel): ClientEntry[] {
  const name = commandName(model);
  const needed = model.env.filter(isAsked);
  const entry = (folder: string, placeholder: (variable: EnvVariableModel) => string) => ({
    command: "node",
    args: [`${folder}/dist/src/main.js`, "--stdio"],
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
  const name = commandName(model);
  const variable = tokenVariable(model);
  const sending = (token: string | undefined) => ({
    url,
    ...(token !== undefined && { headers: { Authorization: `Bearer ${token}` } }),
  });
  const asked = variable === undefined ? undefined : tokenInput(variable, name);
  const code = { type: "http", ...sending(variable && `\${${variable}}`) };
  const visualStudio = { type: "http", ...sending(asked && `\${input:${asked.id}}`) };
  const cursor = sending(variable && `\${env:${variable}}`);
  const over = { transport: "HTTP" };
  return [
    { ...over, ...CLAUDE_CODE, entry: { mcpServers: { [name]: code } } },
    {
      ...over,
      ...VS_CODE,
      entry: {
        ...(asked !== undefined && { inputs: [asked] }),
        servers: { [name]: visualStudio },
      },
    },
    { ...over, ...CURSOR, entry: { mcpServers: { [name]: cursor } } },
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
