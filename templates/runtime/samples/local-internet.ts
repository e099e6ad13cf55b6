import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import net, { type AddressInfo, type LookupFunction, type TcpNetConnectOpts } from "node:net";
import type { Lookup, UpstreamDefinition } from "../upstreams/definition.js";
import type { Upstream } from "../upstreams/client.js";
import { createUpstreams } from "../upstreams/upstreams.js";

/** A request as a server of a test has received it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Something to close when the tests are done. */
const open: (() => Promise<void>)[] = [];

/** Ends all servers of the tests. */
export async function closeServers(): Promise<void> {
  for (const close of open.splice(0)) await close();
}

/** What a promise fails with. */
export async function errorOf(promise: Promise<unknown>): Promise<Error> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof Error) return error;
  throw new Error("there was an answer");
}

/** A server on this machine that keeps what it receives. */
export class TestServer {
  readonly seen: SeenRequest[] = [];
  readonly port: number;

  private constructor(port: number) {
    this.port = port;
  }

  static async open(
    answer: (seen: SeenRequest, ...rest: Parameters<RequestListener>) => void,
  ): Promise<TestServer> {
    let server: TestServer | undefined;
    const http = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { method = "", url = "", headers } = request;
        const seen = { method, url, headers, body: Buffer.concat(chunks).toString() };
        server?.seen.push(seen);
        answer(seen, request, response);
      });
    });
    await new Promise<void>((resolve) => {
      http.listen(0, "127.0.0.1", resolve);
    });
    open.push(async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    });
    server = new TestServer((http.address() as AddressInfo).port);
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }
}

/** What of an upstream a test states; the rest is as where a manifest states nothing. */
export type StatedUpstream = Partial<UpstreamDefinition> & Pick<UpstreamDefinition, "baseUrl">;

export interface AskedUpstream {
  readonly upstream: Upstream;
  /** Cancels the call. */
  cancel(reason: Error): void;
}

/** An upstream of the name `api`, as a call gets it. @param secrets values of secret variables */
export function upstreamOf(
  stated: StatedUpstream,
  {
    env = {},
    lookup,
    longestWaitMs = 5_000,
  }: {
    readonly env?: Readonly<Record<string, string>>;
    readonly lookup?: Lookup;
    readonly longestWaitMs?: number;
  } = {},
): AskedUpstream {
  const definition = { name: "api", timeoutMs: 5_000, private: true, redirects: 0, ...stated };
  const variables = Object.keys(env).map((name) => ({ name, secret: true }));
  const running = createUpstreams(
    { upstreams: [definition], env: variables },
    { env, root: ".", upstreams: { lookup } },
    { timeoutMs: longestWaitMs },
  );
  open.push(() => running.close());
  const call = new AbortController();
  const { api } = running.bind(call) as { readonly api: Upstream };
  return { upstream: api, cancel: (reason) => call.abort(reason) };
}

/** The addresses that connections were made to, in a test that stands in for the internet. */
export interface LocalInternet {
  readonly connected: string[];
  end(): void;
}

/**
 * From now on connections to public addresses end at servers of this machine, by their ports. The look-up of
 * each connection is asked as a socket asks it, and what it says is kept.
 *
 * @param ports of servers, by the public address that they stand for
 */
export function localInternet(ports: Readonly<Record<string, number>>): LocalInternet {
  const connected: string[] = [];
  const real = net.connect;
  const connect = (options: TcpNetConnectOpts): net.Socket => {
    const lookup = options.lookup as LookupFunction;
    let port = 9;
    const redirected: LookupFunction = (hostname, asked, callback) => {
      lookup(hostname, asked, (error, found) => {
        const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
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
      net.connect = real;
    },
  };
}
