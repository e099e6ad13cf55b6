import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { WantedCall } from "./stand-in-model.js";

/** Where an agent's client runs, and what it is to use. */
export interface Setting {
  readonly home: string;
  /** The folder in which the clients are installed. */
  readonly packages: string;
  /** The URL of the model that stands in for the agent's own. */
  readonly model: string;
  readonly server: { readonly command: string; readonly args: readonly string[] };
}

/** A client of a coding agent that makes a server through `mcpwright mcp`. */
export interface Author {
  readonly client: string;
  readonly version: string;
  readonly dialect: "anthropic" | "openai" | "gemini";
  /** A call of its own that takes some seconds, where its first turn does not wait for servers to start. */
  readonly wait?: WantedCall;
  /** The call of its own tool that writes a file. */
  write(file: string, content: string): WantedCall;
  /** Writes its settings. @returns the command that gives it a task */
  prepare(setting: Setting): Promise<{
    readonly file: string;
    readonly words: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  }>;
}

const TASK = "Make a server that greets.";

/** What a hook of Claude Code prints to agree in the place of its user. */
const AGREEMENT = {
  hookSpecificOutput: { hookEventName: "Elicitation", action: "accept", content: {} },
};

export const authoringAgents: readonly Author[] = [
  {
    client: "@anthropic-ai/claude-code",
    version: "2.1.332",
    dialect: "anthropic",
    write: (file, content) => ({ tool: "Write", input: { file_path: file, content } }),
    prepare: async ({ home, packages, model, server }) => {
      const [servers, answer] = [join(home, "mcp.json"), join(home, "answer.json")];
      await writeFile(servers, JSON.stringify({ mcpServers: { author: server } }));
      await writeFile(answer, JSON.stringify(AGREEMENT));
      const command = `cat >> ${join(home, "asked.json")}; cat ${answer}`;
      const settings = { hooks: { Elicitation: [{ hooks: [{ type: "command", command }] }] } };
      return {
        file: join(
          packages,
          `node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`,
        ),
        words: [
          ...["-p", TASK, "--mcp-config", servers, "--settings", JSON.stringify(settings)],
          ...["--allowedTools", "mcp__author", "Write"],
        ],
        env: {
          ...{ ANTHROPIC_API_KEY: "none", ANTHROPIC_BASE_URL: model, ENABLE_TOOL_SEARCH: "false" },
          ...{ DISABLE_AUTOUPDATER: "1", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" },
          ...{ MCP_CONNECTION_NONBLOCKING: "0", MCP_CONNECT_TIMEOUT_MS: "120000" },
        },
      };
    },
  },
  {
    client: "@openai/codex",
    version: "0.171.0",
    dialect: "openai",
    wait: { tool: "exec_command", input: { cmd: "sleep 5", yield_time_ms: 10_000 } },
    write: (file, content) => ({
      tool: "exec_command",
      input: { cmd: `cat > ${file} <<'END'\n${content}END\n` },
    }),
    prepare: async ({ home, packages, model, server }) => {
      await mkdir(join(home, ".codex"));
      const settings = [
        ...['model = "stand-in"', 'model_provider = "stand-in"', 'approval_policy = "never"'],
        'sandbox_mode = "danger-full-access"',
        ...["[model_providers.stand-in]", 'name = "stand-in"', 'wire_api = "responses"'],
        `base_url = ${JSON.stringify(`${model}/v1`)}`,
        "[mcp_servers.author]",
        ...Object.entries(server).map(([key, value]) => `${key} = ${JSON.stringify(value)}`),
      ];
      await writeFile(join(home, ".codex/config.toml"), `${settings.join("\n")}\n`);
      const program = join(packages, "node_modules/@openai/codex/bin/codex.js");
      return {
        file: process.execPath,
        words: [program, "exec", "--skip-git-repo-check", TASK],
        env: {},
      };
    },
  },
  {
    client: "@google/gemini-cli",
    version: "0.61.0",
    dialect: "gemini",
    write: (file, content) => ({ tool: "write_file", input: { file_path: file, content } }),
    prepare: async ({ home, packages, model, server }) => {
      await mkdir(join(home, ".gemini"));
      const settings = {
        security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
        ...{ general: { enableAutoUpdate: false }, privacy: { usageStatisticsEnabled: false } },
        ...{ model: { name: "stand-in" }, mcpServers: { author: { ...server, trust: true } } },
      };
      await writeFile(join(home, ".gemini/settings.json"), JSON.stringify(settings));
      const program = join(packages, "node_modules/@google/gemini-cli/bundle/gemini.js");
      return {
        file: process.execPath,
        words: [program, "-p", TASK, "--yolo"],
        env: {
          ...{ GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: model },
          GEMINI_CLI_TRUST_WORKSPACE: "true",
        },
      };
    },
  },
];
