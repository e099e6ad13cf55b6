import { agents } from "./agents.js";
import type { TriedClient } from "./tried-client.js";

/** The steps of a client that has the methods of the SDK's. */
const BY_METHODS = `
  await step("list tools", () => client.listTools());
  await step("call", () => client.callTool({ name: "test_simple_text", arguments: {} }));
  await step("error of a tool", () => client.callTool({ name: "test_error_handling", arguments: {} }));
  await step("read a resource", () => client.readResource({ uri: "test://static-text" }));
  await step("get a prompt", () => client.getPrompt({ name: "test_simple_prompt" }));
  await client.close();
`;

const NEW_CLIENT = `new Client({ name: "tried", version: "1.0.0" }, { capabilities: {} })`;

function sdk1(version: string, transports: TriedClient["transports"]): TriedClient {
  const http = `new (await import("@modelcontextprotocol/sdk/client/streamableHttp.js")).StreamableHTTPClientTransport(new URL(url))`;
  return {
    client: "@modelcontextprotocol/sdk",
    packages: { "@modelcontextprotocol/sdk": version },
    transports,
    program: `
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
  const client = ${NEW_CLIENT};
  await step("initialize", async () => {
    await client.connect(transport === "http" ? ${transports.includes("http") ? http : "undefined"} : new StdioClientTransport({ command, args, stderr: "ignore" }));
    return client.getServerVersion();
  });
  ${BY_METHODS}`,
  };
}

/** The start of a program that runs a command of a package for each step, and takes what it prints as the answer. */
const BY_COMMAND = `
  const { execFile } = await import("node:child_process");
  const run = (...words) => new Promise((resolve) => execFile(process.execPath, words, (_, out, err) => resolve(out + err)));
`;

/** A program that is a server over stdio and a client over HTTP, with the SDK's client before it. */
function bridge(name: string, version: string, file: string, parameters: string): TriedClient {
  return {
    client: name,
    packages: { [name]: version, "@modelcontextprotocol/client": "2.4.0" },
    transports: ["http"],
    program: `
  const { Client } = await import("@modelcontextprotocol/client");
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  const client = ${NEW_CLIENT};
  const bridged = ["node_modules/${name}/${file}", ...${parameters}];
  await step("initialize", async () => {
    await client.connect(new StdioClientTransport({ command: process.execPath, args: bridged, stderr: "ignore" }));
    return client.getServerVersion();
  });
  ${BY_METHODS}`,
  };
}

export const triedClients: readonly TriedClient[] = [
  sdk1("1.0.0", ["stdio"]),
  sdk1("1.20.0", ["stdio", "http"]),
  sdk1("1.32.2", ["stdio", "http"]),
  {
    client: "@modelcontextprotocol/client",
    packages: { "@modelcontextprotocol/client": "2.4.0" },
    transports: ["stdio", "http"],
    program: `
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  const client = ${NEW_CLIENT};
  await step("initialize", async () => {
    await client.connect(transport === "http" ? new StreamableHTTPClientTransport(new URL(url)) : new StdioClientTransport({ command, args, stderr: "ignore" }));
    return client.getServerVersion();
  });
  ${BY_METHODS}`,
  },
  {
    client: "@ai-sdk/mcp",
    packages: { "@ai-sdk/mcp": "2.0.99" },
    transports: ["stdio", "http"],
    node: "24.21.0",
    program: `
  const { createMCPClient } = await import("@ai-sdk/mcp");
  const { Experimental_StdioMCPTransport } = await import("@ai-sdk/mcp/mcp-stdio");
  let client, tools;
  await step("initialize", async () => {
    client = await createMCPClient({ transport: transport === "http" ? { type: "http", url } : new Experimental_StdioMCPTransport({ command, args, stderr: "ignore" }) });
    return client.serverInfo ?? "conformance";
  });
  await step("list tools", async () => Object.keys((tools = await client.tools())));
  const options = { toolCallId: "1", messages: [] };
  await step("call", () => tools.test_simple_text.execute({}, options));
  await step("error of a tool", () => tools.test_error_handling.execute({}, options).catch(String));
  await step("read a resource", () => client.readResource({ uri: "test://static-text" }));
  await step("get a prompt", () => client.getPrompt({ name: "test_simple_prompt" }));
  await client.close();`,
  },
  {
    client: "@langchain/mcp-adapters",
    packages: { "@langchain/mcp-adapters": "1.1.4", "@langchain/core": "1.4.0" },
    transports: ["stdio", "http"],
    program: `
  const { MultiServerMCPClient } = await import("@langchain/mcp-adapters");
  const server = transport === "http" ? { transport, url } : { transport, command, args, stderr: "ignore" };
  const client = new MultiServerMCPClient({ mcpServers: { server } });
  let tools;
  await step("initialize", async () => (await client.initializeConnections(), "conformance"));
  await step("list tools", async () => (tools = await client.getTools()).map(({ name }) => name));
  const tool = (name) => tools.find((one) => one.name.endsWith(name));
  await step("call", () => tool("test_simple_text").invoke({}));
  await step("error of a tool", () => tool("test_error_handling").invoke({}).catch(String));
  await step("read a resource", () => client.readResource("server", "test://static-text"));
  await client.close();`,
  },
  {
    client: "@openai/agents",
    packages: { "@openai/agents": "0.20.0", zod: "4.6.7" },
    transports: ["stdio", "http"],
    node: "24.21.0",
    program: `
  const { MCPServerStdio, MCPServerStreamableHttp } = await import("@openai/agents");
  const client = transport === "http" ? new MCPServerStreamableHttp({ url }) : new MCPServerStdio({ command, args });
  await step("initialize", async () => (await client.connect(), "conformance"));
  await step("list tools", () => client.listTools());
  await step("call", () => client.callTool("test_simple_text", {}));
  await step("error of a tool", () => client.callTool("test_error_handling", {}).catch(String));
  await step("read a resource", () => client.readResource("test://static-text"));
  await client.close();`,
  },
  {
    client: "@mastra/mcp",
    packages: { "@mastra/mcp": "2.0.0" },
    transports: ["stdio", "http"],
    node: "24.21.0",
    program: `
  const { MCPClient } = await import("@mastra/mcp");
  const client = new MCPClient({ servers: { server: transport === "http" ? { url: new URL(url) } : { command, args } } });
  let tools;
  await step("initialize", async () => ((tools = await client.listTools()), "conformance"));
  await step("list tools", () => Object.keys(tools));
  await step("call", () => tools.server_test_simple_text.execute({}, {}));
  await step("error of a tool", () => tools.server_test_error_handling.execute({}, {}).catch(String));
  await step("read a resource", () => client.resources.read("server", "test://static-text"));
  await step("get a prompt", () => client.prompts.get({ serverName: "server", name: "test_simple_prompt" }));
  await client.disconnect();`,
  },
  {
    client: "@genkit-ai/mcp",
    packages: { "@genkit-ai/mcp": "1.42.0", genkit: "1.42.0" },
    transports: ["stdio", "http"],
    program: `
  const { genkit } = await import("genkit");
  const { createMcpHost } = await import("@genkit-ai/mcp");
  const ai = genkit({});
  const host = createMcpHost({ name: "tried", mcpServers: { server: transport === "http" ? { url } : { command, args } } });
  let tools;
  await step("initialize", async () => (await host.ready(), "conformance"));
  await step("list tools", async () => (tools = await host.getActiveTools(ai)).map(({ __action }) => __action.name));
  const named = (actions, name) => actions.find(({ __action }) => __action.name.endsWith(name));
  await step("call", () => named(tools, "test_simple_text")({}));
  await step("error of a tool", () => named(tools, "test_error_handling")({}));
  await step("read a resource", async () => named(await host.getActiveResources(ai), "static_text")({ uri: "test://static-text" }));
  await step("get a prompt", async () => (await host.getPrompt(ai, "server", "test_simple_prompt")).render({}));
  await host.close();`,
  },
  {
    client: "mcp-use",
    packages: { "mcp-use": "1.34.6" },
    transports: ["stdio", "http"],
    program: `
  const { MCPClient } = await import("mcp-use/client");
  const client = new MCPClient({ mcpServers: { server: transport === "http" ? { url } : { command, args } } });
  let connector;
  await step("initialize", async () => (({ connector } = await client.createSession("server")), connector.serverInfo));
  await step("list tools", () => connector.listTools());
  await step("call", () => connector.callTool("test_simple_text", {}));
  await step("error of a tool", () => connector.callTool("test_error_handling", {}));
  await step("read a resource", () => connector.readResource("test://static-text"));
  await step("get a prompt", () => connector.getPrompt("test_simple_prompt", {}));
  await client.closeAllSessions();`,
  },
  {
    client: "mcp-proxy",
    packages: { "mcp-proxy": "6.7.19", "@modelcontextprotocol/client": "2.4.0" },
    transports: ["stdio"],
    program: `
  const { spawn } = await import("node:child_process");
  const { setTimeout: delay } = await import("node:timers/promises");
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const words = ["node_modules/mcp-proxy/dist/bin/mcp-proxy.mjs", "--host", "127.0.0.1", "--port", "38080", "--server", "stream"];
  const proxy = spawn(process.execPath, [...words, "--", command, ...args], { stdio: "ignore" });
  process.on("exit", () => proxy.kill());
  const proxied = "http://127.0.0.1:38080/mcp";
  while (!(await fetch(proxied).catch(() => undefined))) await delay(100);
  const client = ${NEW_CLIENT};
  await step("initialize", async () => {
    await client.connect(new StreamableHTTPClientTransport(new URL(proxied)));
    return client.getServerVersion();
  });
  ${BY_METHODS}`,
  },
  bridge("mcp-remote", "0.15.1", "dist/proxy.js", `[url, "--allow-http"]`),
  bridge("supergateway", "4.0.0", "dist/index.js", `["--streamableHttp", url]`),
  {
    client: "@modelcontextprotocol/inspector",
    packages: { "@modelcontextprotocol/inspector": "2.12.0" },
    transports: ["stdio", "http"],
    node: "24.21.0",
    program: `${BY_COMMAND}
  const target = transport === "http" ? ["--server-url", url, "--transport", "http"] : ["--transport", "stdio"];
  const server = transport === "http" ? [] : ["--", command, ...args];
  const inspect = (method, ...words) =>
    run("node_modules/.bin/mcp-inspector", "--cli", ...target, "--method", method, ...words, "--format", "json", "-q", ...server);
  await step("list tools", () => inspect("tools/list"));
  await step("call", () => inspect("tools/call", "--tool-name", "test_simple_text"));
  await step("error of a tool", () => inspect("tools/call", "--tool-name", "test_error_handling"));
  await step("read a resource", () => inspect("resources/read", "--uri", "test://static-text"));
  await step("get a prompt", () => inspect("prompts/get", "--prompt-name", "test_simple_prompt"));`,
  },
  {
    client: "mcporter",
    packages: { mcporter: "0.12.3" },
    transports: ["stdio", "http"],
    node: "24.21.0",
    program: `${BY_COMMAND}
  const server = transport === "http"
    ? ["--http-url", url, "--allow-http"]
    : ["--stdio", command, ...args.flatMap((one) => ["--stdio-arg", one])];
  const mcporter = (...words) => run("node_modules/mcporter/dist/cli.js", ...words, ...server, "--name", "tried");
  await step("list tools", () => mcporter("list"));
  await step("call", () => mcporter("call", "--tool", "test_simple_text"));
  await step("error of a tool", () => mcporter("call", "--tool", "test_error_handling"));`,
  },
  ...agents,
];
