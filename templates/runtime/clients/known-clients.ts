import { join } from "node:path";

/** What of this machine says where clients keep their settings. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  /** The user's folder. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How a client is told about servers. */
export interface KnownClient {
  /** Its name for people. */
  readonly title: string;
  /** The file with the servers that this user has in every project. */
  readonly file: string;
  /** The key under which they stand in it, each by its name. */
  readonly key: "servers" | "mcpServers";
  /** Whether an entry says over what the server is reached. */
  readonly hasTypes: boolean;
  /** What stands for a token that the client finds out by itself; absent where it reaches no server by a URL. */
  readonly token?: (variable: string) => string;
}

/** The clients by the names that `npm run install:client` takes. */
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

/** By which name VS Code knows what it asks its user for. */
export function inputId(variable: string): string {
  return variable.toLowerCase().replaceAll("_", "-");
}

/** Where programs keep the settings of a user. */
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
