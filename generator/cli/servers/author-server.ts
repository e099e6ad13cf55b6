/**
 * Starts the server of `examples/author` over stdio, as its own `main.ts` does. The promise is fulfilled when it serves. It
 * ends the process after a signal, or when stdin ends. Only the published command has this server.
 */
export async function startAuthor(): Promise<void> {
  const { start } = await import("../../../templates/runtime/start.js");
  const { server } = await import("mcpwright-author");
  await start(server);
}
