import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import net, { type AddressInfo, type LookupFunction, type TcpNetConnectOpts } from "node:net";
import type { Authentication } from "../authentication/authentication.js";
import type { AnswerMemory } from "../context/answer-memory.js";
import type { Logger } from "../observe/log.js";
import type { Lookup } from "../egress/reach.js";
import type { OpenKey } from "../upstreams/assertion.js";
import type { UpstreamDefinition } from "../upstreams/definition.js";
import type { Upstream } from "../upstreams/upstream.js";
import { createUpstreams } from "../upstreams/upstreams.js";

/** A request that a {@link TestServer} has received. */
export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Functions that close the servers and upstreams of the tests. */
const closers: (() => Promise<void>)[] = [];

/** Closes all servers and upstreams of the tests. */
export async function closeServers(): Promise<void> {
  for (const close of closers.splice(0)) await close();
}

/** The error with which a promise rejects. @throws Error if it resolves */
export async function errorOf(promise: Promise<unknown>): Promise<Error> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof Error) return error;
  throw new Error("there was an answer");
}

/** A server on this machine that records the requests it receives. */
export class TestServer {
  readonly requests: RecordedRequest[] = [];
  readonly port: number;

  private constructor(port: number) {
    this.port = port;
  }

  static async open(
    answer: (recorded: RecordedRequest, ...rest: Parameters<RequestListener>) => void,
    { host = "127.0.0.1", port = 0 }: { readonly host?: string; readonly port?: number } = {},
  ): Promise<TestServer> {
    let server: TestServer | undefined;
    const http = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { method = "", url = "", headers } = request;
        const recorded = { method, url, headers, body: Buffer.concat(chunks).toString() };
        server?.requests.push(recorded);
        answer(recorded, request, response);
      });
    });
    await new Promise<void>((resolve) => {
      http.listen(port, host, resolve);
    });
    closers.push(async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    });
    server = new TestServer((http.address() as AddressInfo).port);
    return server;
  }

  /** A server that answers JSON. @param values one for each request; the last one again and again */
  static async answering(...values: readonly unknown[]): Promise<TestServer> {
    let count = 0;
    return TestServer.open((_seen, _request, response) => {
      const value = values[Math.min(count++, values.length - 1)];
      response.setHeader("content-type", "application/json").end(JSON.stringify(value));
    });
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }
}

/** The settings of an upstream that a test states; the others have the defaults of the manifest. */
export type StatedUpstream = Partial<UpstreamDefinition> & Pick<UpstreamDefinition, "baseUrl">;

export interface AskedUpstream {
  readonly upstream: Upstream;
  /** Cancels the call. */
  cancel(reason: Error): void;
}

/** The upstream `api`, as one call gets it. @param env the values of secret variables */
export function upstreamOf(
  stated: StatedUpstream,
  {
    env = {},
    lookup,
    longestWaitMs = 5_000,
    memory,
    log,
    caller,
    principal = caller?.principal,
    keys,
    openKey,
  }: {
    readonly env?: Readonly<Record<string, string>>;
    readonly lookup?: Lookup;
    readonly longestWaitMs?: number;
    readonly memory?: AnswerMemory;
    readonly log?: Pick<Logger, "info" | "warning">;
    readonly caller?: Authentication;
    readonly principal?: string | undefined;
    readonly keys?: readonly string[];
    readonly openKey?: OpenKey;
  } = {},
): AskedUpstream {
  const definition = { name: "api", timeoutMs: 5_000, private: true, redirects: 0, ...stated };
  const variables = Object.keys(env).map((name) => ({ name, secret: true }));
  const running = createUpstreams(
    { upstreams: [definition], env: variables, ...(openKey !== undefined && { openKey }) },
    { env, root: ".", upstreams: { lookup }, requestStateKeys: keys },
    { timeoutMs: longestWaitMs },
  );
  closers.push(() => running.close());
  const call = new AbortController();
  const context = { signal: call.signal, ...(log !== undefined && { log }) };
  const { api } = running.bind(context, call.signal, memory, principal, caller) as {
    readonly api: Upstream;
  };
  return { upstream: api, cancel: (reason) => call.abort(reason) };
}

/** Servers of this machine that replace the internet in a test. */
export interface LocalInternet {
  /** The public addresses to which the code under test connected. */
  readonly connected: string[];
  /** Restores the real connections. */
  end(): void;
}

/**
 * Redirects all new connections from public addresses to servers of this machine. The look-up function of each
 * connection is called as a socket calls it, and its addresses are recorded.
 *
 * @param ports the ports of the servers, by the public address that each replaces
 */
export function localInternet(ports: Readonly<Record<string, number>>): LocalInternet {
  const connected: string[] = [];
  const realConnect = net.connect;
  const connect = (options: TcpNetConnectOpts): net.Socket => {
    const lookup = options.lookup as LookupFunction;
    let port = 9;
    const redirected: LookupFunction = (hostname, options, callback) => {
      lookup(hostname, options, (error, result) => {
        const addresses = Array.isArray(result) ? result.map(({ address }) => address) : [result];
        if (error) return callback(error, "", 0);
        connected.push(...addresses);
        port = ports[addresses[0] ?? ""] ?? 9;
        callback(Object.assign(new Error("not on this machine"), { code: "ECONNREFUSED" }), "", 0);
      });
    };
    const socket = new net.Socket();
    redirected(String(options.host), { all: true }, (error) => {
      if (port === 9) socket.destroy(error ?? new Error("no server"));
      else socket.connect({ host: "127.0.0.1", port });
    });
    return socket;
  };
  net.connect = connect as typeof net.connect;
  return {
    connected,
    end: () => {
      net.connect = realConnect;
    },
  };
}
