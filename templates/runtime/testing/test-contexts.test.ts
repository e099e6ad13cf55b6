import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JwtCaller } from "../authentication/authentication.js";
import { changes } from "../changes.js";
import type { ServerControls } from "../changes/live-state.js";
import type { RecordedControls } from "../changes/test-controls.js";
import { defineServer } from "../server/define-server.js";
import type { HandlerContext } from "../context/context.js";
import { ACCESS_TOKEN, LocalUpstream } from "../suite/clients/local-upstream.js";
import { stdio } from "../stdio.js";
import { upstreams, type Upstream } from "../upstreams.js";
import { testContexts } from "./test-contexts.js";

type Context = HandlerContext<{ readonly PLACE: string; readonly KEY: string }, { readonly a: 1 }>;

const server = defineServer({
  info: { name: "demo", version: "1.0.0" },
  env: [
    { name: "PLACE", type: "string", required: false, secret: false, default: "here" },
    { name: "KEY", type: "string", required: true, secret: true },
  ],
  transports: [stdio()],
});

test("a test context has the defaults of variables, placeholders, and what the test gives", () => {
  const createTestContext = testContexts<Context>(server);
  const { env } = createTestContext();
  assert.is(env.PLACE, "here");
  assert.type(env.KEY, "string");
  const given = createTestContext({ env: { PLACE: "there" }, services: { a: 1 }, era: "legacy" });
  assert.is(given.env.PLACE, "there");
  assert.is(given.services.a, 1);
  assert.is(given.era, "legacy");
  const handler = (input: object, { services }: Context): unknown => [input, services.a];
  const named = createTestContext(handler, { services: { a: 1 } });
  assert.equal(handler({}, named), [{}, 1]);
});

test("a test context records switches and every notification where the server has changes", () => {
  const { definition } = defineServer({
    info: { name: "demo", version: "1.0.0" },
    transports: [stdio()],
    use: [changes()],
  });
  type Controls = Pick<ServerControls, "notify"> & RecordedControls;
  const context = testContexts<Context & Controls>({ definition })();
  context.notify.resourceUpdated("x://a");
  context.notify.resourcesChanged();
  context.notify.resourceUpdated("x://b", { principal: "ann" });
  assert.equal(context.updated, ["x://a", "x://b"]);
  assert.equal(context.notified, [
    { change: "resourceUpdated", uri: "x://a" },
    { change: "resourcesChanged" },
    { change: "resourceUpdated", uri: "x://b", principal: "ann" },
  ]);
});

test("a handler that asks something for which its test has no stand-in gets an error that says what to pass", async () => {
  const { programs, directories } = testContexts<Context>(server)();
  const isMissing = (text: string) => (error: Error) =>
    error.name === "MissingServicesError" && error.message.includes(text);
  await programs.run(["date"]).then(
    () => assert.unreachable(),
    (error: Error) => assert.ok(isMissing("runs date: pass what stands in for it")(error)),
  );
  assert.throws(() => directories.open("docs"), isMissing("reads docs: pass the folder to read"));
});

test("in tests a stand-in runs instead of every program", async () => {
  const script = 'process.stdout.write(process.argv.slice(2).join(" "))';
  const standIn = { command: [process.execPath, "-e", script, "--"] } as const;
  const { programs } = testContexts<Context>(server)({ programs: standIn });
  assert.is(await (await programs.run(["date", "-u"])).text(), "date -u");
});

test("in tests an upstream is asked in the name of the caller whom the test gives", async () => {
  const { definition } = defineServer({
    info: { name: "demo", version: "1.0.0" },
    transports: [stdio()],
    use: [
      upstreams([
        {
          ...{ name: "orders", baseUrl: "https://orders.example", private: false },
          ...{ timeoutMs: 10_000, redirects: 0 },
          auth: {
            ...{ kind: "exchange", sendIn: "form", tokenUrl: "https://idp.example/token" },
            ...{ clientId: "demo", clientSecret: "a-secret" },
          },
        },
      ]),
    ],
  });
  type Asking = Context & {
    readonly auth: JwtCaller | undefined;
    readonly upstreams: { readonly orders: Upstream };
  };
  const upstream = await LocalUpstream.open();
  try {
    upstream.play([{ body: 7 }]);
    const auth = { principal: "ada", scopes: [], via: "jwt", claims: {}, expiresAt: 9e9 } as const;
    const createTestContext = testContexts<Asking>({ definition });
    const context = createTestContext({ upstreams: upstream.origin, auth });
    assert.is(await (await context.upstreams.orders.get("/count")).json(), 7);
    assert.is(upstream.requests[0]?.headers["authorization"], `Bearer ${ACCESS_TOKEN}`);
  } finally {
    await upstream.close();
  }
});

test.run();
