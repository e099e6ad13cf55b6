import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from "jose";
import { buildServer } from "./built-server.js";
import type { Contestant } from "./turns.js";

const RESOURCE = "https://books.example/mcp";
const ISSUER = "https://idp.example";
const KEY = "a key of the benchmark";

/** What the servers have beside the same tool: nothing, a way to know callers, or a trail of calls. */
const SETTINGS: Readonly<Record<string, string>> = {
  open: "",
  "api key": "auth: { apiKeys: { env: KEYS } }\n",
  jwt: `auth: { resource: "${RESOURCE}", jwt: [{ issuer: "${ISSUER}", jwks: keys.json, algorithms: [ES256] }] }\n`,
  audit: "audit: { to: { env: TRAIL } }\n",
  "audit, values": "audit: { to: { env: TRAIL }, arguments: values }\n",
  "audit, durable": "audit: { to: { env: TRAIL }, durable: true }\n",
};

const manifestOf = (settings: string): string => `manifestVersion: 1
name: access
version: 1.0.0
limits: { ratePerSecond: 1000000 }
transports: [{ type: http }]
env:
  KEYS: { secret: true, description: Keys of machines }
  TRAIL: { description: File of the trail }
${settings}tools:
  - name: greet
    description: Greets a person.
    inputSchema:
      type: object
      properties: { who: { type: string, description: Name } }
      required: [who]
      additionalProperties: false
    content: [{ type: text, text: "Hello, {{who}}!" }]
`;

/** Servers that differ in access and audit alone, built in folders of their own. */
export class AccessServers {
  readonly #root: string;
  readonly contestants: readonly Contestant[];

  private constructor(root: string, contestants: readonly Contestant[]) {
    this.#root = root;
    this.contestants = contestants;
  }

  static async create(): Promise<AccessServers> {
    const root = await mkdtemp(join(tmpdir(), "mcpwright-bench-access-"));
    const { privateKey, publicKey } = await generateKeyPair("ES256");
    const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: "bench" }] });
    const tokens: Readonly<Record<string, string>> = {
      "api key": KEY,
      jwt: await tokenOf(privateKey),
    };
    const contestants: Contestant[] = [];
    for (const [name, settings] of Object.entries(SETTINGS)) {
      const folder = join(root, name.replaceAll(/\W+/g, "-"));
      await buildServer(folder, { "mcp.yaml": manifestOf(settings), "keys.json": keys });
      const token = tokens[name];
      contestants.push({
        program: {
          ...{ name, folder, path: "dist/src/main.js", flags: ["--http"] },
          environment: {
            KEYS: `bench:${createHash("sha256").update(KEY).digest("hex")}:`,
            TRAIL: join(folder, "trail.log"),
          },
        },
        calls: [{ name: "greet", arguments: { who: "Ada" } }],
        ...(token !== undefined && { token }),
      });
    }
    return new AccessServers(root, contestants);
  }

  remove(): Promise<void> {
    return rm(this.#root, { recursive: true, force: true });
  }
}

/** A token of the servers' issuer. */
export function tokenOf(key: CryptoKey): Promise<string> {
  return new SignJWT({ scope: "read" })
    .setProtectedHeader({ alg: "ES256", kid: "bench" })
    .setIssuer(ISSUER)
    .setSubject("ada")
    .setAudience(RESOURCE)
    .setIssuedAt()
    .setExpirationTime("2h")
    .sign(key);
}
