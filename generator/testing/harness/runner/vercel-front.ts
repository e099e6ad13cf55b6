import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { pathToFileURL } from "node:url";

/**
 * Stands for Vercel before a deployment in the form of its Build Output API, with functions that export `fetch`: a program, with the port
 * and the folder of the deployment.
 */

interface Settings {
  readonly version: number;
  readonly routes: readonly { readonly src: string; readonly dest: string }[];
}

interface Function {
  readonly default: { fetch(request: Request): Promise<Response> };
}

const [port, folder = ""] = process.argv.slice(2);

function jsonAt<Value>(...path: string[]): Value {
  return JSON.parse(readFileSync(join(folder, ...path), "utf8")) as Value;
}

/** The function that serves a path. */
async function functionAt(path: string): Promise<Function> {
  const { version, routes } = jsonAt<Settings>("config.json");
  const dest = routes.find(({ src }) => new RegExp(`^${src}$`).test(path))?.dest;
  if (version !== 3 || dest === undefined) throw new Error(`nothing serves ${path}`);
  const place = join("functions", `${dest}.func`);
  const { handler, launcherType } = jsonAt<Record<string, string>>(place, ".vc-config.json");
  if (launcherType !== "Nodejs") throw new Error(`no function of Node.js: ${launcherType}`);
  return (await import(pathToFileURL(resolve(folder, place, handler ?? "")).href)) as Function;
}

/** The request that a function gets: with the URL that the client asked for, headers that the platform sets, and the body, as it has arrived. */
async function requestOf(request: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const isRead = request.method === "GET" || request.method === "HEAD";
  const address = { "x-forwarded-for": "127.0.0.1", "x-vercel-forwarded-for": "127.0.0.1" };
  return new Request(`https://${request.headers.host}${request.url}`, {
    method: request.method ?? "GET",
    headers: { ...(request.headers as Record<string, string>), ...address },
    ...(!isRead && { body: await buffer(request) }),
    signal,
  });
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const disconnected = new AbortController();
  response.once("close", () => disconnected.abort());
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  const served = await functionAt(pathname);
  const { status, headers, body } = await served.default.fetch(
    await requestOf(request, disconnected.signal),
  );
  response.writeHead(status, Object.fromEntries(headers)).flushHeaders();
  if (body === null) response.end();
  else await pipeline(Readable.fromWeb(body as never), response);
}

createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    console.error(error);
    response.destroy();
  });
}).listen(Number(port), "127.0.0.1");
