import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { StreamableHTTPClientTransport, type Client } from "@modelcontextprotocol/client";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { LocalPostgres } from "../../../../templates/runtime/samples/local-postgres.js";
import { packageRoot } from "../../../text/package-root.js";
import { connectClient } from "../../harness/clients/every-method.js";
import { startHttp, type StartedServer } from "../../harness/clients/project-clients.js";
import { SigningIn, throughProxy } from "../../harness/clients/signing-in.js";
import { buildProject, testProject } from "../../harness/projects/built-project.js";
import { copyUserFiles, mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import {
  CLIENT_SECRET,
  startAuthorizationServer,
  type AuthorizationServer,
} from "../../harness/services/authorization-server.js";
import { runUnless } from "../../harness/runner/skipped-test.js";

/**
 * examples/members for several people at once: the accounts get a token of whoever calls, in exchange for theirs, and
 * Postgres shows each their own rows.
 */

const test = suite("examples/members, acting for its callers");

const RESOURCE = "https://library.example/mcp";

/** What each person owes. */
const FEES: Readonly<Record<string, object>> = { ada: { Emma: 120 }, bob: { Persuasion: 30 } };

let folder: string;
let idp: AuthorizationServer;
let accounts: Accounts;
let postgres: LocalPostgres;
let server: StartedServer;
const clients: Client[] = [];

/** An API that knows its callers by tokens for itself alone. */
interface Accounts {
  readonly url: string;
  /** Subjects and audiences of the tokens that it got. */
  readonly callers: string[];
  stop(): Promise<void>;
}

async function startAccounts(issuer: string): Promise<Accounts> {
  const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`));
  const callers: string[] = [];
  const http: Server = createServer((request, response) => {
    const token = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
    jwtVerify(token, keys, { issuer, audience: "accounts" }).then(
      ({ payload: { sub = "", aud, scope } }) => {
        callers.push(`${sub} for ${String(aud)}: ${String(scope)}`);
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify(FEES[sub] ?? {}));
      },
      () => response.writeHead(401).end(),
    );
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const stop = async (): Promise<void> => {
    http.closeAllConnections();
    http.close();
    await once(http, "close");
  };
  return { url, callers, stop };
}

/** Makes the database as its owner, with a login for the server that owns nothing. */
async function makeWishes(): Promise<string> {
  await postgres.execute("create role member; create role librarian; create role server login");
  await postgres.execute("grant member, librarian to server");
  await postgres.execute(await readFile(join(folder, "test/wishes.sql"), "utf8"));
  return postgres.url("server");
}

test.before(async () => {
  folder = await copyUserFiles(
    fileURLToPath(new URL("examples/members", packageRoot)),
    "acting-members",
  );
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
  await installShared(folder);
  await buildProject(folder);
  idp = await startAuthorizationServer();
  accounts = await startAccounts(idp.issuer);
  postgres = await LocalPostgres.start();
  server = await startHttp(folder, {
    ...{ PUBLIC_URL: RESOURCE, ISSUER: idp.issuer, TOKEN_URL: `${idp.issuer}/token` },
    ...{ EXCHANGE_SECRET: CLIENT_SECRET, ACCOUNTS_URL: accounts.url },
    WISHES_DB: await makeWishes(),
  });
});
test.after.each(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});
test.after(async () => {
  await server?.stop();
  await Promise.all([idp?.stop(), accounts?.stop(), postgres?.close()]);
  await rm(folder, { recursive: true, force: true });
});

/** The official client of somebody who has signed in at the identity provider. */
async function signedIn(name: string): Promise<Client> {
  const authProvider = new SigningIn();
  const options = { authProvider, fetch: throughProxy(RESOURCE, server.url) };
  const first = new StreamableHTTPClientTransport(new URL(RESOURCE), options);
  await connectClient(first, "modern").catch(() => undefined);
  await first.finishAuth((await idp.signIn(name, authProvider.authorization as URL)).searchParams);
  const transport = new StreamableHTTPClientTransport(new URL(RESOURCE), options);
  const client = await connectClient(transport, "modern");
  clients.push(client);
  return client;
}

async function call(client: Client, name: string, values = {}): Promise<unknown> {
  const { content, isError } = await client.callTool({ name, arguments: values });
  const { text } = (content as { text: string }[])[0] ?? { text: "" };
  assert.not.ok(isError, text);
  return JSON.parse(text);
}

test("the generated tests of examples/members run its statements as a member, in a database of their own", async () => {
  await postgres.execute("create role tester login; grant member, librarian to tester");
  await postgres.execute("create database tests owner tester");
  const former = process.env["TEST_WISHES_DB"];
  process.env["TEST_WISHES_DB"] = postgres.url("tester", "tests");
  const report = await testProject(folder);
  if (former === undefined) delete process.env["TEST_WISHES_DB"];
  else process.env["TEST_WISHES_DB"] = former;
  assert.not.match(report, /TEST_WISHES_DB/);
  assert.match(report, /server\.test\.js[^]*\((\d+) \/ \1\)/);
});

test("the API of accounts gets, for each caller, a token that is meant for this API alone", async () => {
  const [ada, bob, eve] = [await signedIn("ada"), await signedIn("bob"), await signedIn("eve")];
  const fees = await Promise.all(
    [ada, bob, eve, ada, bob].map((client) => call(client, "list_fees")),
  );
  assert.equal(fees, [FEES["ada"], FEES["bob"], {}, FEES["ada"], FEES["bob"]]);
  const known = accounts.callers.sort();
  const of = (name: string) => `${name} for accounts: fees`;
  assert.equal(known, ["ada", "ada", "bob", "bob", "eve"].map(of));
});

test("the database shows members their own rows, and librarians all", async () => {
  const [ada, bob, lin] = [await signedIn("ada"), await signedIn("bob"), await signedIn("lin")];
  for (const [client, book] of [
    [ada, "Emma"],
    [bob, "Emma"],
    [bob, "Persuasion"],
  ] as const)
    await client.callTool({ name: "add_wish", arguments: { book } });
  const wishes = await Promise.all(
    Array.from({ length: 20 }, (_, turn) => call(turn % 2 === 0 ? ada : bob, "list_wishes")),
  );
  const [ofAda, ofBob] = [
    [{ member: "ada", book: "Emma" }],
    [
      { member: "bob", book: "Emma" },
      { member: "bob", book: "Persuasion" },
    ],
  ];
  wishes.forEach((found, turn) => assert.equal(found, turn % 2 === 0 ? ofAda : ofBob));
  assert.equal(await call(lin, "list_wishes"), [...ofAda, ...ofBob]);
  const rows = await postgres.execute("select member, book from wishes order by book, member");
  assert.equal(
    rows.map((row) => ({ ...row })),
    [...ofAda, ...ofBob],
  );
});

const why = await LocalPostgres.whyWithout();
runUnless(why, "examples/members, acting for its callers", test);
