import type { TriedClient } from "./tried-client.js";

/** The programs that people give tasks to. A model that stands in for theirs has them call tools. */

/** The start of a program: `run` runs a command without the terminal, `call` has the model ask for a call meanwhile. */
function speaking(dialect: string): string {
  return `
  const { execFile } = await import("node:child_process");
  const { mkdirSync, writeFileSync } = await import("node:fs");
  const { StandInModel } = await import(standIn);
  const model = await StandInModel.listen("${dialect}");
  const run = (file, words, variables) => new Promise((resolve) => {
    const env = { ...process.env, ...variables };
    const child = execFile(file, words, { cwd: home, env, maxBuffer: 1e8 }, (_, out, err) => resolve(out + err));
    child.stdin.end();
  });
  // These clients do not wait for a server that starts slowly: then, their first turns do not name its tools.
  const during = async (act, wanted, isEnough) => {
    for (let tried = 1; ; tried++) {
      const heard = await model.during(act, wanted);
      if (isEnough(heard) || tried === 5) return heard;
    }
  };
  const call = async (tool, input = {}) =>
    (await during(() => prompt("hello"), { tool, input }, ({ results }) => results.length > 0)).results;
  const here = import.meta.dirname;`;
}

const BY_CALLS = `
  await step("list tools", async () => {
    const names = ({ tools }) => tools.map((name) => name.slice(name.indexOf("test_")));
    return names(await during(() => prompt("hello"), undefined, (heard) => names(heard).includes("test_simple_text")));
  });
  await step("call", () => call("test_simple_text"));
  await step("error of a tool", () => call("test_error_handling"));`;

export const agents: readonly TriedClient[] = [
  {
    client: "@anthropic-ai/claude-code",
    packages: { "@anthropic-ai/claude-code": "2.1.332" },
    transports: ["stdio", "http"],
    program: `${speaking("anthropic")}
  const claude = (words) => run(here + "/node_modules/@anthropic-ai/claude-code-" + process.platform + "-" + process.arch + "/claude", words, {
    ANTHROPIC_API_KEY: "none", ANTHROPIC_BASE_URL: model.url, ENABLE_TOOL_SEARCH: "false",
    DISABLE_AUTOUPDATER: "1", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    MCP_CONNECTION_NONBLOCKING: "0", MCP_CONNECT_TIMEOUT_MS: "120000",
  });
  const server = transport === "http" ? { type: "http", url } : { type: "stdio", command, args };
  const prompt = (words) => claude(["-p", words, "--allowedTools", "mcp__tried", "ReadMcpResourceTool"]);
  await step("initialize", async () => {
    await claude(["mcp", "add-json", "tried", JSON.stringify(server)]);
    const said = await claude(["mcp", "list"]);
    return said.includes("Connected") ? "conformance" : said;
  });
  ${BY_CALLS}
  await step("read a resource", () => call("ReadMcpResourceTool", { server: "tried", uri: "test://static-text" }));
  await step("get a prompt", async () => {
    const isKnown = ({ turns }) => JSON.stringify(turns).includes("simple prompt");
    return (await during(() => prompt("/mcp__tried__test_simple_prompt"), undefined, isKnown)).turns;
  });`,
  },
  {
    client: "@openai/codex",
    packages: { "@openai/codex": "0.171.0" },
    transports: ["stdio", "http"],
    program: `${speaking("openai")}
  const server = transport === "http" ? { url } : { command, args };
  mkdirSync(home + "/.codex");
  writeFileSync(home + "/.codex/config.toml", [
    'model = "stand-in"', 'model_provider = "stand-in"', 'approval_policy = "never"', 'sandbox_mode = "danger-full-access"',
    "[model_providers.stand-in]", 'name = "stand-in"', "base_url = " + JSON.stringify(model.url + "/v1"), 'wire_api = "responses"',
    "[mcp_servers.tried]", ...Object.entries(server).map(([key, value]) => key + " = " + JSON.stringify(value)), "",
  ].join("\\n"));
  const codex = (words) => run(process.execPath, [here + "/node_modules/@openai/codex/bin/codex.js", ...words], {});
  const prompt = (words) => codex(["exec", "--skip-git-repo-check", words]);
  ${BY_CALLS}
  await step("read a resource", () => call("read_mcp_resource", { server: "tried", uri: "test://static-text" }));`,
  },
  {
    client: "@google/gemini-cli",
    packages: { "@google/gemini-cli": "0.61.0" },
    transports: ["stdio", "http"],
    program: `${speaking("gemini")}
  const server = transport === "http" ? { httpUrl: url } : { command, args };
  mkdirSync(home + "/.gemini");
  writeFileSync(home + "/.gemini/settings.json", JSON.stringify({
    security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
    general: { enableAutoUpdate: false }, privacy: { usageStatisticsEnabled: false }, model: { name: "stand-in" },
    mcpServers: { tried: { ...server, trust: true } },
  }));
  const gemini = (words) => run(process.execPath, [here + "/node_modules/@google/gemini-cli/bundle/gemini.js", ...words], {
    GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: model.url, GEMINI_CLI_TRUST_WORKSPACE: "true",
  });
  const prompt = (words) => gemini(["-p", words, "--yolo"]);
  await step("initialize", async () => {
    const said = await gemini(["mcp", "list"]);
    return said.includes("Connected") ? "conformance" : said;
  });
  ${BY_CALLS}
  await step("read a resource", () => call("read_mcp_resource", { uri: "test://static-text" }));
  await step("get a prompt", async () => (await model.during(() => prompt("/test_simple_prompt"))).turns);`,
  },
];
