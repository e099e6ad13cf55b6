import { isJsonObject, type JsonValue } from "../../model/json.js";
import type { ServerModel } from "../../model/server-model.js";
import { publishedEntries, type ClientEntry } from "./client-entries.js";
import { commandName } from "./package-json.js";

/** An address that opens a client, which asks its user whether to add the server. */
export interface ClientLink {
  readonly client: string;
  readonly url: string;
}

/** Links for the clients that have such addresses. They are of the web, since pages show no others. */
export function clientLinks(model: ServerModel): ClientLink[] {
  const name = commandName(model);
  return publishedEntries(model).flatMap((entry) => {
    const url = linkOf(entry, name);
    return url === undefined ? [] : [{ client: entry.client, url }];
  });
}

function linkOf({ client, entry }: ClientEntry, name: string): string | undefined {
  const { inputs, servers, mcpServers } = entry;
  if (client === "VS Code" && isJsonObject(servers)) {
    const asked = inputs === undefined ? "" : `&inputs=${encoded(inputs)}`;
    const config = encoded(servers[name] ?? {});
    return `https://vscode.dev/redirect/mcp/install?name=${name}${asked}&config=${config}`;
  }
  if (client === "Cursor" && isJsonObject(mcpServers)) {
    const config = Buffer.from(JSON.stringify(mcpServers[name] ?? {})).toString("base64");
    const link = `https://cursor.com/en/install-mcp?name=${name}`;
    return `${link}&config=${encodeURIComponent(config)}`;
  }
  return undefined;
}

/** JSON in an address that stands in a document: brackets would end it there. */
function encoded(value: JsonValue): string {
  return encodeURIComponent(JSON.stringify(value)).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** What Claude Code is told on the command line; undefined where an address would have to be quoted there. */
export function claudeCodeCommand(model: ServerModel): string | undefined {
  const name = commandName(model);
  const entry = publishedEntries(model).find(({ client }) => client === "Claude Code")?.entry;
  const servers = entry?.["mcpServers"];
  const settings = isJsonObject(servers) ? servers[name] : undefined;
  if (!isJsonObject(settings)) return undefined;
  const { command, args, env, url, headers } = settings;
  if (typeof url !== "string") {
    const variables = Object.keys(isJsonObject(env) ? env : {}).map((key) => `--env ${key}=VALUE`);
    const launch = [command, ...(Array.isArray(args) ? args : [])];
    return ["claude mcp add", name, ...variables, "--", ...launch].join(" ");
  }
  const isPlain = /^[\w:/.%-]+$/.test(url) && headers === undefined;
  return isPlain ? `claude mcp add --transport http ${name} ${url}` : undefined;
}
