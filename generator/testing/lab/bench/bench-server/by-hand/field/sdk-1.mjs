/** SDK 1.x with Express, as its documentation shows a server without sessions. */
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import express from "express";
import { definitions } from "./schemas.mjs";
import { tools } from "./shop.mjs";

function makeServer() {
  const server = new McpServer({ name: "shop", version: "1.0.0" });
  for (const [name, { description, inputSchema }] of Object.entries(definitions)) {
    server.registerTool(name, { description, inputSchema: inputSchema.shape }, async (input) => ({
      content: [{ type: "text", text: JSON.stringify(await tools[name](input)) }],
    }));
  }
  return server;
}

const app = express();
app.use(express.json());
app.post("/mcp", async (request, response) => {
  const server = makeServer();
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  response.on("close", () => {
    void transport.close();
    void server.close();
  });
  await server.connect(transport);
  await transport.handleRequest(request, response, request.body);
});
const port = Number(process.argv[process.argv.indexOf("--port") + 1]);
app.listen(port, "127.0.0.1");
