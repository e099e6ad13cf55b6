import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runProgram } from "../runner/programs.js";

/** A request of a client of 2026-07-28. */
export interface ScriptedRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Sends requests to the server of a built project, in a process of its own.
 *
 * @param options What the server is made with, as JavaScript.
 * @returns the answers, a line each
 */
export async function answersOf(
  folder: string,
  options: string,
  requests: readonly ScriptedRequest[],
): Promise<string> {
  const script = `
    import { createServer } from "./dist/src/generated/index.js";
    const server = await createServer(${options});
    const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };
    for (const { method, params } of ${JSON.stringify(requests)}) {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } });
      const name = params.name ?? params.uri;
      const headers = { "content-type": "application/json", accept: "application/json, text/event-stream", "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...(name && { "mcp-name": name }) };
      const response = await server.fetch(new Request("http://localhost/mcp", { method: "POST", headers, body }));
      console.log(await response.text());
    }
    await server.close();
  `;
  await writeFile(join(folder, "ask.mjs"), script);
  return runProgram(folder, process.execPath, ["ask.mjs"]);
}
