import { Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { SettingError } from "./settings.js";
import type { AgentAnswer, AgentRequest, UpstreamAgent } from "./upstream-agent.js";

/**
 * Stands in for undici in the bundle of a worker, whose requests go through the platform's own `fetch`. It has what `agent.ts` and
 * `guard.ts` use. The platform resolves names and connects, so that only what a URL says itself is checked: literal addresses, and
 * names that always lead to this machine.
 */

/** The part of undici's connectors that is used here. */
type Connector = (
  target: Readonly<Record<"protocol" | "host" | "hostname" | "port", string>>,
  callback: (error: Error | null, socket: null) => void,
) => void;

/** The options of {@link Agent}. */
interface AgentOptions {
  readonly connect: Connector;
  /** Most requests at the same time. */
  readonly connections?: number;
}

/** Sends requests by the platform's `fetch`. Redirects are not followed, and answers are read as they come. */
export class Agent implements UpstreamAgent {
  readonly #connect: Connector;
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor({ connect, connections = Infinity }: AgentOptions) {
    this.#connect = connect;
    this.#most = connections;
  }

  /** @throws ForbiddenAddressError if the URL has an address that must not be reached; and what `fetch` throws */
  async request(request: AgentRequest): Promise<AgentAnswer> {
    const { method, origin, path, body, signal } = request;
    const url = new URL(path, origin);
    await permitted(this.#connect, url);
    await this.#turn();
    const stopped = new AbortController();
    const stop = (): void => stopped.abort();
    signal.once("abort", stop);
    try {
      const response = await fetch(url, {
        ...{ method, body, redirect: "manual", signal: stopped.signal },
        // The platform decodes this one, whatever it is asked for.
        headers: { ...request.headers, "accept-encoding": "gzip" },
      });
      return this.#answer(response, () => this.#end());
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  /** Nothing stays open. */
  async destroy(): Promise<void> {}

  #answer({ status, headers: received, body }: Response, ended: () => void): AgentAnswer {
    const headers = Object.fromEntries(received);
    if (headers["content-encoding"]?.toLowerCase() === "gzip") {
      delete headers["content-encoding"];
      delete headers["content-length"];
    }
    const stream = body === null ? Readable.from([]) : Readable.fromWeb(body as NodeStream);
    stream.once("close", ended);
    return { statusCode: status, headers, body: stream };
  }

  async #turn(): Promise<void> {
    if (this.#running >= this.#most) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#running++;
  }

  #end(): void {
    this.#running--;
    this.#waiting.shift()?.();
  }
}

/** A proxy needs connections of its own. @throws SettingError */
export class ProxyAgent {
  constructor() {
    throw new SettingError("a worker cannot send its requests through a proxy");
  }
}

/** A connector that leaves the connection to the platform. */
export function buildConnector(): Connector {
  // The platform has no socket to give, and `request` asks for none.
  return (_target, callback) => callback(null, null);
}

/** @throws ForbiddenAddressError if the connector refuses the URL */
function permitted(connect: Connector, { protocol, host, hostname }: URL): Promise<void> {
  const target = { protocol, host, hostname, port: "" };
  return new Promise((resolve, reject) => {
    connect(target, (error) => (error === null ? resolve() : reject(error)));
  });
}
