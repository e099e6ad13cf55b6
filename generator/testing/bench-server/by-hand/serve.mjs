import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

/** Puts a factory behind the transport that the command line names, as the SDK's documentation does. */
export function serve(build) {
  if (process.argv.includes("--stdio")) return void serveStdio(build);
  const node = toNodeHandler(createMcpHandler(build));
  const port = Number(process.argv[process.argv.indexOf("--port") + 1]);
  createServer((request, response) => void node(request, response)).listen(port, "127.0.0.1");
}
