import { join } from "node:path";

/** The parts of this machine that determine where clients keep their settings. */
export interface Machine {
  /** The operating system. */
  readonly platform: NodeJS.Platform;
  /** The user's home folder. */
  readonly home: string;
  /** The environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Where and how a client lists its servers. */
export interface KnownClient {
  /** The name that people know it by. */
  readonly title: string;
  /** The file with the servers that the user has in all projects. */
  readonly file: string;
  /** The key of the object in it that contains the servers by name. */
  readonly key: "servers" | "mcpServers";
  /** Whether an entry has a `type`, which names the transport. */
  readonly hasTypes: boolean;
  /** Returns the placeholder that the client replaces by a token. Absent if it cannot use servers over HTTP. */
  readonly token?: (variable: string) => string;
}

/** Returns the clients by the names that `npm run install:client` accepts. */
export function knownClients(machine: Machine): ReadonlyMap<string, KnownClient> {
  const { home } = machine;
  const settings = settingsFolder(machine);
  return new Map<string, KnownClient>([
    [
      "vscode",
      {
        title: "VS Code",
        file: join(settings, "Code", "User", "mcp.json"),
        key: "servers",
        hasTypes: true,
        token: (variable) => `\${input:${inputId(variable)}}`,
      },
    ],
    [
      "cursor",
      {
        title: "Cursor",
        file: join(home, ".cursor", "mcp.json"),
        key: "mcpServers",
        hasTypes: false,
        token: (variable) => `\${env:${variable}}`,
      },
    ],
    [
      "claude-desktop",
      {
        title: "Claude Desktop",
        file: join(settings, "Claude", "claude_desktop_config.json"),
        key: "mcpServers",
        hasTypes: false,
      },
    ],
    [
      "claude-code",
      {
        title: "Claude Code",
        file: join(home, ".claude.json"),
        key: "mcpServers",
        hasTypes: true,
        token: (variable) => `\${${variable}}`,
      },
    ],
  ]);
}

/** The `id` of the input with which VS Code asks its user for the variable's value. */
export function inputId(variable: string): string {
  return variable.toLowerCase().replaceAll("_", "-");
}

/** The folder in which programs keep the user's settings. */
function settingsFolder({ platform, home, env }: Machine): string {
  switch (platform) {
    case "win32":
      return env["APPDATA"] || join(home, "AppData", "Roaming");
    case "darwin":
      return join(home, "Library", "Application Support");
    default:
      return env["XDG_CONFIG_HOME"] || join(home, ".config");
  }
}
