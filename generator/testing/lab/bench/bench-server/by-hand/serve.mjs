/**
 * Puts a factory behind the transport that the command line names, as the SDK's documentation does.
 * What the other transport needs is not loaded.
 */
export async function serve(build) {
  if (process.argv.includes("--stdio")) {
    const { serveStdio } = await import("@modelcontextprotocol/server/stdio");
    return void serveStdio(build);
  }
  const { createServer } = await import("node:http");
  const { toNodeHandler } = await import("@modelcontextprotocol/node");
  const { createMcpHandler } = await import("@modelcontextprotocol/server");
  const node = toNodeHandler(createMcpHandler(build));
  const port = Number(process.argv[process.argv.indexOf("--port") + 1]);
  createServer((request, response) => void node(request, response)).listen(port, "127.0.0.1");
}
