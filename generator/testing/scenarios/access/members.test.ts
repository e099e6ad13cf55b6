import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { StreamableHTTPClientTransport, type Client } from "@modelcontextprotocol/client";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import {
  startAuthorizationServer,
  type AuthorizationServer,
} from "../../harness/services/authorization-server.js";
import { connectClient } from "../../harness/clients/every-method.js";
import { buildProject, testProject } from "../../harness/projects/built-project.js";
import { shortOrLong } from "../../harness/runner/test-length.js";
import { copyUserFiles, mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { startHttp, type Era, type StartedServer } from "../../harness/clients/project-clients.js";
import { SigningIn, throughProxy } from "../../harness/clients/signing-in.js";

/** examples/members with an identity provider: people sign in there, and a machine has a key. */

const test = suite("examples/members");

const RESOURCE = "https://library.example/mcp";
const LOANS = "members://loans";
const KEY_OF_THE_DROP = "what the book drop sends";

/** What only the tools ask that act for their caller: `acting-members.long.test.ts` has it. */
const ELSEWHERE = {
  ...{ TOKEN_URL: "http://127.0.0.1:9/token", EXCHANGE_SECRET: "none" },
  ...{ ACCOUNTS_URL: "http://127.0.0.1:9", WISHES_DB: "postgres://nobody@127.0.0.1:9/none" },
};

let folder: string;
let idp: AuthorizationServer;
let server: StartedServer;
const clients: Client[] = [];

test.before(async () => {
  const example = fileURLToPath(new URL("examples/members", packageRoot));
  folder = await copyUserFiles(example, "members");
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
  await installShared(folder);
  // In short, the generated tests of acting.test.ts are those of a project with callers.
  if (shortOrLong(false, true)) {
    assert.match(await testProject(folder), /library\.test\.js[^]*?\(2 \/ 2\)/);
  } else await buildProject(folder);
  idp = await startAuthorizationServer();
  const digest = createHash("sha256").update(KEY_OF_THE_DROP).digest("hex");
  server = await startHttp(folder, {
    ...{ PUBLIC_URL: RESOURCE, ISSUER: idp.issuer, API_KEYS: `drop:${digest}:returns` },
    ...ELSEWHERE,
  });
});
test.after.each(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});
test.after(async () => {
  await Promise.all([server?.stop(), idp?.stop()]);
  await rm(folder, { recursive: true, force: true });
});

/** The official client of somebody who has signed in at the identity provider. */
async function signedIn(name: string, era: Era): Promise<Client> {
  const authProvider = new SigningIn();
  const options = { authProvider, fetch: throughProxy(RESOURCE, server.url) };
  const first = new StreamableHTTPClientTransport(new URL(RESOURCE), options);
  await connectClient(first, era).then(
    () => assert.unreachable("nobody has signed in"),
    (error: Error) => assert.is(error.name, "UnauthorizedError", error.stack),
  );
  await first.finishAuth((await idp.signIn(name, authProvider.authorization as URL)).searchParams);
  const client = await connectClient(
    new StreamableHTTPClientTransport(new URL(RESOURCE), options),
    era,
  );
  clients.push(client);
  return client;
}

/** The client of a machine with a key. */
async function withKey(key: string, era: Era): Promise<Client> {
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  const transport = new StreamableHTTPClientTransport(new URL(server.url), { requestInit });
  const client = await connectClient(transport, era);
  clients.push(client);
  return client;
}

async function toolsOf(client: Client): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

async function call(client: Client, name: string, values = {}): Promise<unknown> {
  const { content } = await client.callTool({ name, arguments: values });
  return JSON.parse((content as { text: string }[])[0]?.text ?? "");
}

async function loansOf(client: Client): Promise<unknown> {
  const { contents } = await client.readResource({ uri: LOANS });
  return JSON.parse((contents[0] as { text: string }).text);
}

/** Subscribes to a caller's loans, and keeps what the caller is told. */
async function follow(
  client: Client,
  era: Era,
): Promise<{ notified: string[]; next(): Promise<void> }> {
  const notified: string[] = [];
  let wake = (): void => undefined;
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
    notified.push(params.uri);
    wake();
  });
  if (era === "modern") await client.listen({ resourceSubscriptions: [LOANS] });
  else await client.subscribeResource({ uri: LOANS });
  const next = async (): Promise<void> => {
    if (notified.length === 0) await new Promise<void>((resolve) => (wake = resolve));
  };
  return { notified, next };
}

for (const era of ["modern", "legacy"] as const) {
  test(`each role and each machine sees and uses only its own items (${era})`, async () => {
    const [ada, lin] = [await signedIn("ada", era), await signedIn("lin", era)];
    const drop = await withKey(KEY_OF_THE_DROP, era);
    const own = ["list_fees", "add_wish", "list_wishes"];
    assert.equal(await toolsOf(ada), ["borrow_book", ...own]);
    assert.equal(await toolsOf(lin), ["borrow_book", "list_borrowers", ...own]);
    assert.equal(await toolsOf(drop), ["return_book"]);
    assert.equal((await drop.listResources()).resources, []);
    for (const [client, name] of [
      [ada, "list_borrowers"],
      [lin, "return_book"],
      [drop, "borrow_book"],
    ] as const) {
      const refused = await client.callTool({ name, arguments: { book: "Emma" } }).then(
        () => "answered",
        (error: Error) => error.message,
      );
      assert.is.not(refused, "answered", name);
    }
    await withKey(`${KEY_OF_THE_DROP}!`, era).then(
      () => assert.unreachable("a wrong key"),
      (error: Error) => assert.match(`${error.name} ${error.message}`, /401|Unauthorized/),
    );
  });

  test(`only the borrower of a book is notified when a machine takes it back (${era})`, async () => {
    const [ada, bob] = [await signedIn("ada", era), await signedIn("bob", era)];
    const drop = await withKey(KEY_OF_THE_DROP, era);
    assert.is(await call(ada, "borrow_book", { book: "Emma" }), true);
    assert.is(await call(bob, "borrow_book", { book: "Emma" }), false);
    assert.is(await call(bob, "borrow_book", { book: "Persuasion" }), true);
    assert.equal([await loansOf(ada), await loansOf(bob)], [["Emma"], ["Persuasion"]]);
    const lin = await signedIn("lin", era);
    assert.equal(await call(lin, "list_borrowers"), [
      { book: "Emma", borrower: `${idp.issuer}|ada` },
      { book: "Persuasion", borrower: `${idp.issuer}|bob` },
    ]);
    const [ofAda, ofBob] = [await follow(ada, era), await follow(bob, era)];
    assert.is(await call(drop, "return_book", { book: "Emma" }), true);
    await ofAda.next();
    // Bob's first news is of his own book: he heard nothing of Ada's.
    assert.equal(ofBob.notified, []);
    assert.is(await call(drop, "return_book", { book: "Persuasion" }), true);
    await ofBob.next();
    assert.equal([ofAda.notified, ofBob.notified], [[LOANS], [LOANS]]);
    assert.equal([await loansOf(ada), await loansOf(bob)], [[], []]);
  });
}

test.run();
