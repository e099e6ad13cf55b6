import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readBuiltPage } from "../../../model/built-page.js";

/** What a call can do before it is answered. */
export interface Call {
  /** Sends a notification. */
  readonly notify: (method: string, params: object) => void;
  /** Tells how far it is. */
  readonly progress: (params: object) => void;
  /** Asks the client. */
  readonly ask: (method: string, params: object) => void;
}

/** Gives a result, an error, or the text that goes out in their place; undefined never answers. */
export type Answers = Readonly<Record<string, (call: Call) => unknown>>;

/** The results of methods that list, by their names. */
export type Lists = Readonly<Record<string, object>>;

interface Request {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly uri?: string; readonly _meta?: object };
}

/**
 * A server of the 2025-11-25 protocol with the page, which says whatever it is told to, be it against the protocol.
 *
 * @param answers of calls, by the name of the tool or the address of the resource
 */
export async function startFreeServer(
  lists: Lists,
  answers: Answers = {},
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const { html, policy } = readBuiltPage();
  const server = createServer((request, response) => {
    if (request.headers.accept?.includes("text/html") === true) {
      response.setHeader("content-security-policy", policy);
      response.setHeader("content-type", "text/html");
      response.end(html);
    } else if (request.method === "POST") {
      void answer(request, response, lists, answers);
    } else {
      response.writeHead(405).end();
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close: async () => {
      server.close().closeAllConnections();
      await once(server, "close");
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  lists: Lists,
  answers: Answers,
): Promise<void> {
  const text = (await request.toArray()).join("");
  const { id, method = "", params = {} } = JSON.parse(text) as Request;
  if (id === undefined || method === "") return void response.writeHead(202).end();
  const message = (rest: object): string => JSON.stringify({ jsonrpc: "2.0", ...rest });
  const called = answers[params.name ?? params.uri ?? ""];
  if (called === undefined) {
    const initial = {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {}, resources: {}, prompts: {}, logging: {}, completions: {} },
      serverInfo: { name: "free", version: "1" },
    };
    const result = { ...(method === "initialize" ? initial : empty(method)), ...lists[method] };
    response.setHeader("content-type", "application/json");
    return void response.end(message({ id, result }));
  }
  response.setHeader("content-type", "text/event-stream");
  const send = (data: string): void => void response.write(`data: ${data}\n\n`);
  const { progressToken } = (params._meta ?? {}) as { readonly progressToken?: unknown };
  const result = called({
    notify: (name, rest) => send(message({ method: name, params: rest })),
    progress: (rest) =>
      send(message({ method: "notifications/progress", params: { progressToken, ...rest } })),
    ask: (name, rest) => send(message({ id: "question", method: name, params: rest })),
  });
  if (result === undefined) return;
  const isError = typeof result === "object" && result !== null && "error" in result;
  const answered = message({ id, ...(isError ? (result as object) : { result }) });
  send(typeof result === "string" ? result.replace("{{id}}", JSON.stringify(id)) : answered);
  response.end();
}

function empty(method: string): object {
  switch (method) {
    case "tools/list":
      return { tools: [] };
    case "resources/list":
      return { resources: [] };
    case "resources/templates/list":
      return { resourceTemplates: [] };
    case "prompts/list":
      return { prompts: [] };
    case "completion/complete":
      return { completion: { values: [] } };
    default:
      return {};
  }
}
