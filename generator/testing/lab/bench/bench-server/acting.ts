import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportJWK, generateKeyPair } from "jose";
import { tokenOf } from "./access.js";
import { buildServer } from "./built-server.js";
import type { Contestant } from "./turns.js";

const ISSUER = "https://idp.example";
const RESOURCE = "https://books.example/mcp";

/** A service in a process of its own, which also gives tokens. */
const service = `data:text/javascript,${encodeURIComponent(`
import { createServer } from "node:http";
const issued = JSON.stringify({ access_token: "for-the-caller", token_type: "Bearer", expires_in: 86400 });
const server = createServer((request, response) => {
  const body = request.url === "/token" ? issued : '"asked"';
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body);
});
server.keepAliveTimeout = 600_000;
server.listen(0, "127.0.0.1", () => process.send(server.address().port));
`)}`;

/** The credentials with which the same service is asked: a fixed key, and a token of the caller's own, which is kept. */
const CREDENTIALS: Readonly<Record<string, string>> = {
  "fixed key": "bearer: { env: SECRET }",
  "cached exchange":
    "exchange: { tokenUrl: { env: TOKEN_URL }, clientId: books, clientSecret: { env: SECRET } }",
};

const manifestOf = (credentials: string): string => `name: acting
version: 1.0.0
limits: { ratePerSecond: 1000000 }
transports: [{ type: http }]
env:
  API: { type: url, required: true, description: Where the service is }
  TOKEN_URL: { type: url, required: true, description: Where tokens are exchanged }
  SECRET: { secret: true, required: true, description: What this server shows }
auth: { resource: "${RESOURCE}", jwt: [{ issuer: "${ISSUER}", jwks: keys.json, algorithms: [ES256] }] }
upstreams:
  api: { baseUrl: { env: API }, private: true, auth: { ${credentials} } }
tools:
  - name: ask
    description: Asks the service.
    http: { upstream: api, path: /asked }
`;

/** Servers that know their callers and ask a service, and differ only in whose name they ask in. */
export class ActingServers {
  readonly #root: string;
  readonly #service: ChildProcess;
  readonly contestants: readonly Contestant[];

  private constructor(root: string, child: ChildProcess, contestants: readonly Contestant[]) {
    this.#root = root;
    this.#service = child;
    this.contestants = contestants;
  }

  static async create(): Promise<ActingServers> {
    const root = await mkdtemp(join(tmpdir(), "mcpwright-bench-acting-"));
    const child = fork("-", [], { execArgv: ["--input-type=module", "--import", service] });
    const [port] = (await once(child, "message")) as [number];
    const { privateKey, publicKey } = await generateKeyPair("ES256");
    const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: "bench" }] });
    const token = await tokenOf(privateKey);
    const API = `http://127.0.0.1:${port}`;
    const environment = { API, TOKEN_URL: `${API}/token`, SECRET: "a secret of the benchmark" };
    const contestants: Contestant[] = [];
    for (const [name, credentials] of Object.entries(CREDENTIALS)) {
      const folder = join(root, name.replaceAll(/\W+/g, "-"));
      await buildServer(folder, { "mcp.yaml": manifestOf(credentials), "keys.json": keys });
      contestants.push({
        program: { name, folder, path: "dist/src/main.js", flags: ["--http"], environment },
        calls: [{ name: "ask", arguments: {} }],
        token,
      });
    }
    return new ActingServers(root, child, contestants);
  }

  async remove(): Promise<void> {
    const ended = once(this.#service, "exit");
    this.#service.kill("SIGKILL");
    await ended;
    await rm(this.#root, { recursive: true, force: true });
  }
}
