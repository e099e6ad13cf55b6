/** SDK 2.x, as its documentation shows it: a server for every request. */
import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { definitions } from "./schemas.mjs";
import { tools } from "./shop.mjs";

const handle = toNodeHandler(
  createMcpHandler(() => {
    const server = new McpServer({ name: "shop", version: "1.0.0" });
    for (const [name, definition] of Object.entries(definitions)) {
      server.registerTool(name, definition, async (input) => ({
        content: [{ type: "text", text: JSON.stringify(await tools[name](input)) }],
      }));
    }
    return server;
  }),
);
const port = Number(process.argv[process.argv.indexOf("--port") + 1]);
createServer((request, response) => void handle(request, response)).listen(port, "127.0.0.1");
