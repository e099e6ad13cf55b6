import { isJsonObject, type JsonValue } from "../../model/json.js";
import type { ServerModel } from "../../model/server-model.js";
import { publishedEntries, type ClientEntry } from "./client-entries.js";
import { commandName } from "../model-facts.js";

/** A URL that opens a client. The client then asks its user whether to add the server. */
export interface ClientLink {
  readonly client: string;
  readonly url: string;
}

/** Links for the clients that have such URLs. They are `https` URLs, since Markdown viewers remove links of other schemes. */
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
    const parameter = inputs === undefined ? "" : `&inputs=${encoded(inputs)}`;
    const config = encoded(servers[name] ?? {});
    return `https://vscode.dev/redirect/mcp/install?name=${name}${parameter}&config=${config}`;
  }
  if (client === "Cursor" && isJsonObject(mcpServers)) {
    const config = Buffer.from(JSON.stringify(mcpServers[name] ?? {})).toString("base64");
    const link = `https://cursor.com/en/install-mcp?name=${name}`;
    return `${link}&config=${encodeURIComponent(config)}`;
  }
  return undefined;
}

/** JSON for a query. Parentheses are encoded too, since they would end a Markdown link. */
function encoded(value: JsonValue): string {
  return encodeURIComponent(JSON.stringify(value)).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The command that adds the server to Claude Code; undefined if a shell would need quotes around the URL. */
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
  const isSimple = /^[\w:/.%-]+$/.test(url) && headers === undefined;
  return isSimple ? `claude mcp add --transport http ${name} ${url}` : undefined;
}
