import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { Provider } from "../../../../templates/runtime/samples/linked-accounts.js";
import { closeServers } from "../../../../templates/runtime/samples/local-internet.js";
import { startHttp, type StartedServer } from "../../harness/clients/project-clients.js";
import { testProject } from "../../harness/projects/built-project.js";
import { FixtureProject } from "../../harness/projects/fixture-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";

/** A project whose callers link accounts of their own with an upstream. */

const test = suite("accounts that callers link");

const RESOURCE = "https://books.example/mcp";

const fixture = new FixtureProject("linked-accounts");
let folder: string;
let keys: Server;
let server: StartedServer;
let tokenOf: (person: string) => Promise<string>;

test.before(async () => {
  folder = await fixture.copy();
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const jwk = { ...(await exportJWK(publicKey)), kid: "key-1" };
  tokenOf = (person) =>
    new SignJWT({ sub: person })
      .setProtectedHeader({ alg: "ES256", kid: "key-1", typ: "at+jwt" })
      .setIssuer("https://idp.example")
      .setAudience(RESOURCE)
      .setExpirationTime("1h")
      .sign(privateKey);
  keys = createServer((_request, response) => response.end(JSON.stringify({ keys: [jwk] })));
  keys.listen(0, "127.0.0.1");
  await once(keys, "listening");
});
test.after(async () => {
  await server?.stop();
  keys?.closeAllConnections();
  keys?.close();
  await closeServers();
  await fixture.remove();
});

const read = async (path: string): Promise<string> => readFile(join(folder, path), "utf8");

test("SERVER.md says what to register and which key encrypts accounts, and consent is asked for before an account", async () => {
  const document = await read("SERVER.md");
  assert.match(
    document,
    "Redirect URI to register for `mail`: `https://books.example/mcp/connect/mail/callback`",
  );
  assert.match(document, "put the new one before the old one");
  assert.match(await read(".env.example"), "REQUEST_STATE_KEY=");
  const module = await read("src/generated/server.ts");
  assert.ok(module.indexOf("linkedAccounts()") < module.indexOf("consent()"), module);
});

test("the generated tests of a project with linked accounts run with an account", async () => {
  await installShared(folder);
  const report = await testProject(folder);
  assert.match(report, /server\.test\.js[^]*\((\d+) \/ \1\)/);
});

/** The variables of a server whose upstream is at this origin. */
function variablesFor(origin: string): Record<string, string> {
  return {
    MAIL_URL: origin,
    MAIL_SIGN_IN: `${origin}/authorize`,
    MAIL_TOKENS: `${origin}/token`,
    MAIL_SECRET: "a-client-secret",
    KEYS_URL: `http://127.0.0.1:${(keys.address() as AddressInfo).port}/keys`,
  };
}

/** Signs a user in at a link, as a browser does. @returns the code that the page shows */
async function signIn(link: string, user: string): Promise<string> {
  const here = (url: string | null): string => (url ?? "").replace(RESOURCE, server.url);
  const redirect = await fetch(here(link), { redirect: "manual" });
  const cookie = redirect.headers.get("set-cookie")?.split(";")[0] ?? "";
  const headers = { "x-user": user };
  const back = await fetch(redirect.headers.get("location") ?? "", { redirect: "manual", headers });
  const page = await fetch(here(back.headers.get("location")), { headers: { cookie } });
  return /<code>([^<]*)<\/code>/.exec(await page.text())?.[1] ?? "";
}

/** A client of a person, with what its user was asked. */
async function connect(person: string): Promise<{ client: Client; asked: string[] }> {
  const client = new Client(
    { name: "mail", version: "1.0.0" },
    {
      capabilities: { elicitation: { form: {}, url: {} } },
      versionNegotiation: { mode: { pin: "2026-07-28" } },
    },
  );
  const asked: string[] = [];
  let code = "";
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    asked.push(params.message);
    if ("url" in params) code = await signIn(params.url, `${person}@mail`);
    return params.message.startsWith("Which code")
      ? { action: "accept", content: { code } }
      : { action: "accept", content: {} };
  });
  const requestInit = { headers: { authorization: `Bearer ${await tokenOf(person)}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit }));
  return { client, asked };
}

test("a server with linked accounts sends each call as the person who calls, also where consent is asked first", async () => {
  const provider = await Provider.open();
  server = await startHttp(folder, variablesFor(provider.origin));
  const [ada, bob] = [await connect("ada"), await connect("bob")];
  const call = async ({ client }: typeof ada, name: string, input: object = {}): Promise<string> =>
    JSON.stringify((await client.callTool({ name, arguments: { ...input } })).content);
  assert.match(await call(ada, "whoami"), "ada@mail");
  const sent = await call(bob, "send_mail", { to: "ada" });
  assert.match(sent, "bob@mail");
  assert.match(bob.asked[0] ?? "", 'Send a mail to "ada"?');
  assert.match(bob.asked[1] ?? "", "Connect your account with mail");
  assert.is(bob.asked.length, 3);
  const mails = provider.server.requests.filter(({ url }) => url.startsWith("/mails/"));
  assert.is(mails.length, 1);
  assert.match(await call(ada, "whoami"), "ada@mail");
  assert.is(ada.asked.length, 2);
  const { tools } = await ada.client.listTools();
  assert.equal(
    tools.map(({ name }) => name),
    ["whoami", "send_mail", "connect", "disconnect"],
  );
  for (const { client } of [ada, bob]) await client.close();
});

test("a server does not start where linked accounts would be lost, or their sign-in could be read by others", async () => {
  const variables = variablesFor("http://mail.example");
  for (const [flags, more, message] of [
    [["--workers", "2"], {}, "accounts of callers are kept in the memory of one process"],
    [[], variables, "the authorization URL of the upstream mail must be an https URL"],
  ] as const) {
    const usable = variablesFor("https://mail.example");
    const env = { ...process.env, ...usable, ...more };
    const args = ["dist/src/main.js", "--http", "--port", "0", ...flags];
    const failed = await promisify(execFile)(process.execPath, args, { cwd: folder, env }).then(
      () => ({ stderr: "it has started" }),
      (error: { readonly stderr: string }) => error,
    );
    assert.match(failed.stderr, message);
  }
});

test.run();
