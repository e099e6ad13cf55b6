import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { RunningServer } from "../../../../templates/runtime/server/create-server.js";

/** A request of a client of 2026-07-28. */
export interface InProcessRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** What the server of a project is made with. */
interface InProcessOptions {
  readonly mock?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

interface ProjectModule {
  readonly createServer: (options: InProcessOptions) => Promise<RunningServer>;
}

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

/**
 * Sends requests to the server of a built project, in this process.
 *
 * @returns the answers, a line each
 */
export async function answersOf(
  folder: string,
  options: InProcessOptions,
  requests: readonly InProcessRequest[],
): Promise<string> {
  const module = pathToFileURL(join(folder, "dist/src/generated/index.js"));
  const { createServer } = (await import(module.href)) as ProjectModule;
  const server = await createServer(options);
  try {
    const answers: string[] = [];
    for (const one of requests) answers.push(await (await server.fetch(requestOf(one))).text());
    return answers.join("\n");
  } finally {
    await server.close();
  }
}

function requestOf({ method, params }: InProcessRequest): Request {
  const name = params["name"] ?? params["uri"];
  return new Request("http://localhost/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(typeof name === "string" && { "mcp-name": name }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } }),
  });
}
