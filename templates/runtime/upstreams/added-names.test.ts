import { test } from "uvu";
import * as assert from "uvu/assert";
import { closeServers, TestServer, upstreamOf } from "../samples/local-internet.js";
import type { UpstreamRequest } from "./upstream.js";
import { styled, type Style } from "./styles.js";

const env = { KEY: "s3cr3t-key" };
const value = { env: "KEY" };
const auth = { kind: "query", name: "api_key", value } as const;
const EXPLODED: Style = { style: "form", explode: true };

/** Sends a request with an upstream's credential in the query. @returns what it received, or the error */
async function sent(server: TestServer, request: UpstreamRequest, path = "/x"): Promise<string> {
  const stated = { baseUrl: `${server.origin}/?tenant=t1`, auth };
  const { upstream } = upstreamOf(stated, { env });
  const before = server.requests.length;
  const error = await upstream.post(path, request).then(
    () => undefined,
    ({ message }: Error) => message,
  );
  const received = server.requests[before];
  return error ?? `${received?.url} ${received?.body}`;
}

/** Names that some reader of a query takes for `api_key`. */
const READ_AS_KEY = [
  "api_key",
  "API_KEY",
  "Api_Key",
  "api.key",
  "api key",
  "api_key[]",
  "api_key[0]",
  "api_key[a][b]",
  "api_key[",
  "api%5Fkey",
  "api%255Fkey",
  "api+key",
  " api_key",
  "api_key ",
  "api_key\u0000x",
  "api_\u212aey",
  "\uff41pi_key",
];

const refusal = (parameter: string, member: string): string =>
  `The value of ${parameter} must not have the member ${JSON.stringify(member)}, which would set another parameter of the request.`;

test("an open object adds no parameter that the credential, the manifest or another argument sets", async () => {
  const server = await TestServer.answering({});
  const names = [...READ_AS_KEY, "tenant", "Tenant", "limit", "LIMIT", "absent", "cursor", "v"];
  for (const style of [EXPLODED, { explode: true, style: "pipeDelimited" } as const, {}]) {
    for (const name of names) {
      const filter = styled({ [name]: "mine" }, style);
      const pages = {
        items: "",
        cursor: { query: "cursor", from: "/next" },
        maxPages: 2,
      };
      const query = { filter, limit: 10, absent: undefined };
      const message = await sent(server, { query, pages }, "/x?v=1");
      assert.is(message, refusal("filter", name).replaceAll("\\u0000", "\\\\u0000"), name);
    }
  }
  assert.equal(server.requests, []);
});

test("a cursor of an upstream that is an object adds no such parameter either", async () => {
  for (const name of ["api_key", "tenant", "limit"]) {
    const server = await TestServer.answering({ items: [1], next: { [name]: "mine" } });
    const pages = { items: "/items", cursor: { query: "cursor", from: "/next" }, maxPages: 2 };
    assert.is(await sent(server, { query: { limit: 10 }, pages }), refusal("cursor", name));
    assert.is(server.requests.length, 1);
  }
});

test("an open object may add any other parameter", async () => {
  const server = await TestServer.answering({});
  const filter = styled(
    { filter: 1, key: "a", api: "b", "tenant-id": "c", "a=b&c": "d" },
    EXPLODED,
  );
  assert.is(
    await sent(server, { query: { filter, limit: 10 } }),
    "/x?tenant=t1&filter=1&key=a&api=b&tenant-id=c&a%3Db%26c=d&limit=10&api_key=s3cr3t-key ",
  );
});

test("a deep object adds only parameters below its own name", async () => {
  const server = await TestServer.answering({});
  const deep = (members: object, name = "api_key"): UpstreamRequest["query"] => ({
    [name]: styled(members, { style: "deepObject" }),
    "api_key[role]": "reader",
    "FILTER[a][b]": 1,
  });
  for (const [members, name, member] of [
    [{ role: "admin" }, "api_key", "api_key[role]"],
    [{ "ro%6ce": "admin" }, "api_key", "api_key[ro%6ce]"],
    [{ Role: "admin" }, "api_key", "api_key[Role]"],
    [{ a: { b: 2 } }, "filter", "filter[a][b]"],
    [{ "a][b": 2 }, "filter", "filter[a][b]"],
  ] as const) {
    assert.is(await sent(server, { query: deep(members, name) ?? {} }), refusal(name, member));
  }
  assert.match(
    await sent(server, { query: deep({ a: { c: 2 }, d: [1] }, "filter") ?? {} }),
    "filter%5Ba%5D%5Bc%5D=2&filter%5Bd%5D%5B0%5D=1",
  );
});

test("in a form, an open object adds no field that the form has", async () => {
  const server = await TestServer.answering({});
  const fields = (name: string): UpstreamRequest["form"] => ({
    role: "reader",
    more: styled({ [name]: "admin" }, EXPLODED),
  });
  for (const name of ["role", "ROLE", "role[]", "r%6fle", "api_key", "tenant"]) {
    assert.is(await sent(server, { form: fields(name) ?? {} }), refusal("more", name));
    assert.is(await sent(server, { multipart: fields(name) ?? {} }), refusal("more", name));
  }
  const both = { query: { verbose: true }, form: fields("verbose") ?? {} };
  assert.is(await sent(server, both), refusal("more", "verbose"));
  assert.match(await sent(server, { form: fields("other") ?? {} }), "role=reader&other=admin");
});

test("open objects add no header and no cookie", async () => {
  const server = await TestServer.answering({});
  const stated = { baseUrl: server.origin, auth: { kind: "cookie", name: "s", value } } as const;
  const { upstream } = upstreamOf(stated, { env });
  const open = { s: "mine", authorization: "mine", "a; s": "mine", "x\r\ny": "mine" };
  await upstream.get("/", { headers: { "x-filter": open }, cookies: { filter: open } });
  const headers = server.requests[0]?.headers;
  assert.is(headers?.authorization, undefined);
  assert.is(headers?.["x-filter"], JSON.stringify(open));
  const cookies = (headers?.cookie ?? "").split("; ").map((cookie) => cookie.split("=", 1)[0]);
  assert.equal(cookies, ["filter", "s"]);
  assert.match(headers?.cookie ?? "", /; s=s3cr3t-key$/);
});

test.after(() => closeServers());

test.run();
