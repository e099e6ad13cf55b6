import { request, type IncomingMessage } from "node:http";

/** Requests of callers to a server at a URL, and what it answers. */

/** A caller whom the project knows, or somebody without credentials. */
export type Who = "ada" | "bob" | "nobody";

export function authorization(who: Who): Record<string, string> {
  return who === "nobody" ? {} : { authorization: `Bearer token-of-${who}` };
}

export interface Answer {
  readonly status: number;
  readonly challenge: string | null;
  readonly session: string | null;
  readonly text: string;
  readonly message: { result?: Record<string, unknown>; error?: { code: number } };
}

export async function post(
  url: string,
  headers: Record<string, string>,
  body: object,
): Promise<Answer> {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...body }),
  });
  const text = await response.text();
  const json = /^data: (.+)$/m.exec(text)?.[1] ?? text;
  return {
    status: response.status,
    challenge: response.headers.get("www-authenticate"),
    session: response.headers.get("mcp-session-id"),
    text,
    message: (json.startsWith("{") ? JSON.parse(json) : {}) as Answer["message"],
  };
}

/** A request with two headers that say who sends it. */
export function askTwice(url: string, ...tokens: readonly string[]): Promise<IncomingMessage> {
  const authorization = tokens.flatMap((token) => ["authorization", `Bearer ${token}`]);
  return new Promise((resolve, reject) => {
    const headers = [
      "host",
      new URL(url).host,
      "content-type",
      "application/json",
      ...authorization,
    ];
    const sent = request(url, { method: "POST", headers }, (answer) => {
      resolve(answer.resume());
    });
    sent.on("error", reject).end('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  });
}

/** A request of 2026-07-28. */
export function ask(
  url: string,
  method: string,
  params: Record<string, unknown>,
  headers: Record<string, string>,
): Promise<Answer> {
  const name = params["name"] ?? params["uri"];
  return post(
    url,
    {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(name === undefined ? {} : { "mcp-name": String(name) }),
      ...headers,
    },
    {
      method,
      params: {
        ...params,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
        },
      },
    },
  );
}

/**
 * Opens a session of the older eras, and returns the headers of its requests; without its id where the credentials are
 * refused.
 */
export async function openSession(
  url: string,
  credentials: Record<string, string>,
): Promise<Record<string, string>> {
  const clientInfo = { name: "test", version: "1.0.0" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const { session } = await post(url, credentials, { method: "initialize", params });
  const version = { "mcp-protocol-version": "2025-11-25" };
  return session === null ? version : { "mcp-session-id": session, ...version };
}
