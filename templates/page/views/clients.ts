/** The ways to add a server over HTTP to clients. */
export interface ClientEntries {
  /** Links that open an installed client, which adds the server. */
  readonly links: readonly { readonly client: string; readonly address: string }[];
  readonly commands: readonly { readonly client: string; readonly command: string }[];
  /** The entry of configuration files. */
  readonly entry: string;
}

/** Source: the documentation of VS Code, Cursor and Claude Code on adding servers over HTTP. */
export function clientsFor(serverName: string, url: string): ClientEntries {
  const name = serverName.replace(/[^\w-]+/g, "-").replace(/^-+|-+$/g, "") || "server";
  const http = { type: "http", url };
  const cursor = new URLSearchParams({ name, config: btoa(JSON.stringify({ url })) });
  return {
    links: [
      {
        client: "VS Code",
        address: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, ...http }))}`,
      },
      {
        client: "Cursor",
        address: `cursor://anysphere.cursor-deeplink/mcp/install?${cursor.toString()}`,
      },
    ],
    commands: [
      { client: "Claude Code", command: `claude mcp add --transport http ${name} ${quoted(url)}` },
    ],
    entry: JSON.stringify({ mcpServers: { [name]: http } }, null, 2),
  };
}

/** An argument, quoted for a POSIX shell. */
export function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}
