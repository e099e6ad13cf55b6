import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { fetchHandler } from "../../../../../templates/runtime/fetch.js";
import type { createLog } from "../../../../../templates/runtime/observe/log.js";
import type { Server } from "../../../../../templates/runtime/server/define-server.js";
import { DemoClient, messageOf, SECRET, type Answer, type Changes } from "./demo-server.js";

/** The demo project behind `@mcpwright/runtime/fetch`, in the process of the test: requests are values, and there are no sockets. */
export class FetchDemo extends DemoClient {
  readonly #handle: ReturnType<typeof fetchHandler<unknown, unknown, { readonly address: string }>>;
  #clients = 0;

  private constructor(
    server: Server<unknown, unknown>,
    runtime: { readonly fetchHandler: typeof fetchHandler; readonly createLog: typeof createLog },
  ) {
    super();
    this.#handle = runtime.fetchHandler(server, {
      address: (_request, { address }: { readonly address: string }) => address,
      environment: { API_KEY: SECRET },
      log: runtime.createLog({ write: (line) => void this.logLines.push(line) }),
    });
  }

  /** Imports a built project and the runtime that is installed in it. */
  static async start(folder: string): Promise<FetchDemo> {
    const load = async (path: string): Promise<unknown> =>
      import(pathToFileURL(join(folder, path)).href);
    const runtime = "node_modules/@mcpwright/runtime/dist";
    const [{ server }, { fetchHandler: handler }, { createLog: log }] = (await Promise.all([
      load("dist/src/generated/server.js"),
      load(`${runtime}/fetch.js`),
      load(`${runtime}/joined/core.js`),
    ])) as [
      { readonly server: Server<unknown, unknown> },
      { readonly fetchHandler: typeof fetchHandler },
      { readonly createLog: typeof createLog },
    ];
    return new FetchDemo(server, { fetchHandler: handler, createLog: log });
  }

  async request({
    method = "POST",
    path = "/mcp",
    headers = {},
    body,
    localAddress = `127.0.1.${1 + (this.#clients++ % 100)}`,
  }: Changes): Promise<Answer> {
    const sent = new Headers();
    for (const [name, value] of Object.entries(headers)) {
      for (const text of value === undefined ? [] : [value].flat()) sent.append(name, text);
    }
    const request = new Request(`http://localhost${path}`, {
      ...{ method, headers: sent },
      ...(body !== undefined && { body: new Uint8Array(Buffer.from(body)) }),
    });
    const response = await this.#handle(request, { address: localAddress });
    const text = await response.text();
    this.answers.push(text);
    const { status } = response;
    return {
      ...{ status, text, headers: Object.fromEntries(response.headers) },
      message: messageOf(text),
    };
  }
}
