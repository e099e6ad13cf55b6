import { createServer as createHttpServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { HttpDefinition } from "../../../templates/runtime/http/definition.js";
import { httpEndpoint } from "../../../templates/runtime/http/endpoint.js";
import { pathOf } from "../../../templates/runtime/http/request-path.js";
import { headersProblem, HttpGuards } from "../../../templates/runtime/http/guards.js";
import type { Endpoint } from "../../../templates/runtime/http/transport.js";
import { createLog } from "../../../templates/runtime/observe/log.js";
import { createServer } from "../../../templates/runtime/server/create-server.js";
import { readBuiltPage, type BuiltPage } from "../../model/built-page.js";
import type { ServerModel } from "../../model/server-model.js";
import type { ListTokens } from "./list-tokens.js";
import { previewDefinition } from "./preview-definition.js";

/** A diagnostic as the page shows it. */
export interface ShownDiagnostic {
  readonly severity: string;
  readonly code: string;
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The item that contains it. Absent if no item does. */
  readonly item?: { readonly list: string; readonly index: number; readonly key: string };
}

/** What the page shows about the manifest, in addition to the items that the server lists. */
export interface PreviewState {
  /** The path of the manifest as it is shown to people. */
  readonly file: string;
  /** True if the server belongs to the manifest as it was saved last. False if to the last valid one. */
  readonly isCurrent: boolean;
  readonly diagnostics: readonly ShownDiagnostic[];
  /** How many tokens the lists take; absent if the manifest is not valid. */
  readonly tokens?: ListTokens;
}

/** A preview that listens on a port. */
export interface RunningPreview {
  readonly url: string;
  /** Shows another state and the server of the model. Without a model, the former server goes on. */
  show(state: PreviewState, model: ServerModel | undefined): Promise<void>;
  close(): Promise<void>;
}

/** The path that the page requests the state from. */
const STATE_PATH = "/preview";

/** The most requests for the state that wait for a change at the same time. */
const mostWaiting = 100;

/** The longest time in milliseconds that a request for the state waits for a change. */
const longestWaitMs = 25_000;

const transport: HttpDefinition = {
  ...{ type: "http", host: "127.0.0.1", port: 0, path: "/", sessions: "none" },
  ...{ resumable: false, cors: false, trustProxy: 0, health: "/healthz" },
  ...{ allowedHosts: [], allowedOrigins: [], page: { public: false } },
};

/** The model of the server as long as no manifest was valid. */
const emptyServer: ServerModel = {
  ...{ name: "preview", protocol: { legacy: "serve" }, transports: [], env: [] },
  ...{ sharedSchemas: [], tools: [], resources: [], resourceTemplates: [], prompts: [] },
};

/**
 * Serves the page and the server of a manifest on the loopback address.
 *
 * @param root the folder that `file` resources are relative to
 * @param port the port to listen on; 0 chooses a free one
 * @throws Error if the server cannot listen on the port
 */
export async function startPreview(root: string, port: number): Promise<RunningPreview> {
  const preview = new Preview(root);
  await preview.listen(port);
  return preview;
}

class Preview implements RunningPreview {
  readonly #root: string;
  readonly #guards = new HttpGuards(transport);
  readonly #http = createHttpServer();
  readonly #waiting = new Set<() => void>();
  #endpoint: Endpoint;
  #server: ReturnType<typeof createServer>;
  #state: PreviewState = { file: "", isCurrent: true, diagnostics: [] };
  /** The version of the state, which pages compare. It begins with the time, so that it differs from earlier previews. */
  #version = Date.now();

  constructor(root: string) {
    this.#root = root;
    [this.#server, this.#endpoint] = this.#serverOf(emptyServer);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}/`;
  }

  async listen(port: number): Promise<void> {
    this.#http.on("request", (request, response) => {
      const path = pathOf(request);
      if (path !== STATE_PATH) {
        const answer = this.#endpoint.pages.get(path);
        return answer === undefined ? refuse(response, 404) : answer(request, response);
      }
      const { host, origin, "sec-fetch-site": site } = request.headers;
      if (headersProblem(request) !== undefined) return refuse(response, 400);
      if (!this.#guards.allowsHost(host) || !this.#guards.allowsOrigin(origin, request.headers)) {
        return refuse(response, 403);
      }
      // Browsers send no Origin with images, scripts and the like.
      if (site === "cross-site" || site === "same-site") return refuse(response, 403);
      if (request.method !== "GET") return refuse(response, 405);
      if (this.#waiting.size >= mostWaiting) return refuse(response, 503);
      this.#answerState(new URL(request.url ?? "", this.url), response);
    });
    await new Promise<void>((resolve, reject) => {
      this.#http.once("error", reject).listen(port, transport.host, resolve);
    });
  }

  async show(state: PreviewState, model: ServerModel | undefined): Promise<void> {
    // As long as a manifest has errors, the page shows the last one without, and its tokens.
    const { tokens = this.#state.tokens } = state;
    this.#state = { ...state, ...(tokens !== undefined && { tokens }) };
    const former = this.#server;
    if (model !== undefined) {
      [this.#server, this.#endpoint] = this.#serverOf(model);
    }
    this.#version++;
    for (const answer of this.#waiting) answer();
    if (former !== this.#server) await former.close();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#http.close(resolve));
    this.#http.closeAllConnections();
    await this.#server.close();
    await closed;
  }

  #serverOf(model: ServerModel): [ReturnType<typeof createServer>, Endpoint] {
    const definition = {
      ...previewDefinition(model, this.#root),
      transports: [transport],
      loadPage: () => Promise.resolve(previewPage()),
    };
    const log = createLog({ write: () => undefined });
    const server = createServer(definition, { root: this.#root, mock: true, log });
    return [server, httpEndpoint(server, transport)];
  }

  /** Answers with the state. If the page already has this version, the answer waits for the next one. */
  #answerState({ searchParams }: URL, response: ServerResponse): void {
    const answer = (): void => {
      clearTimeout(timer);
      this.#waiting.delete(answer);
      const state = { version: this.#version, ...this.#state };
      const body = JSON.stringify(state);
      response.writeHead(200, { "content-type": "application/json", "cache-control": "no-store" });
      response.end(body);
    };
    const timer = setTimeout(answer, longestWaitMs);
    response.on("close", () => {
      clearTimeout(timer);
      this.#waiting.delete(answer);
    });
    if (searchParams.get("after") !== String(this.#version)) return answer();
    this.#waiting.add(answer);
  }
}

/** The page, with the path from which it requests the state. */
function previewPage(): Omit<BuiltPage, "result"> {
  const { policy, html } = readBuiltPage();
  const data = JSON.stringify({ preview: STATE_PATH });
  return { policy, html: html.replace(/(<script [^>]*id="data">)/, (tag) => tag + data) };
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}
