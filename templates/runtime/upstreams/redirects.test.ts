import { test } from "uvu";
import * as assert from "uvu/assert";
import {
  closeServers,
  errorOf,
  TestServer,
  upstreamOf,
  type RecordedRequest,
} from "../samples/local-internet.js";

test("redirects: within the origin all headers are kept, and their number is limited", async () => {
  const server = await TestServer.open(({ url }, _request, response) => {
    if (url === "/3") response.end('"there"');
    else
      response
        .writeHead(url === "/2" ? 308 : 302, { location: `/${Number(url.slice(1)) + 1}` })
        .end();
  });
  const auth = { kind: "bearer", token: { env: "KEY" } } as const;
  const env = { KEY: "s3cr3t-key" };
  const two = upstreamOf({ baseUrl: server.origin, redirects: 2, auth }, { env }).upstream;
  assert.is((await two.get("/1")).json(), "there");
  assert.is((await two.get("/0")).status, 308);
  assert.ok(server.requests.every(({ headers }) => headers.authorization === "Bearer s3cr3t-key"));
});

test("redirects: a POST becomes a GET as in HTTP, and a body is not sent to another origin", async () => {
  const elsewhere = await TestServer.answering({});
  const seen: RecordedRequest[] = [];
  let location = "";
  let status = 303;
  const server = await TestServer.open((request, _request, response) => {
    seen.push(request);
    if (request.url === "/end") response.end("{}");
    else response.writeHead(status, { location }).end();
  });
  const { upstream } = upstreamOf({ baseUrl: server.origin, redirects: 1 });
  location = "/end";
  await upstream.post("/x", { json: { a: 1 } });
  assert.equal(
    seen.map(({ method, body }) => method + body),
    ['POST{"a":1}', "GET"],
  );
  status = 307;
  await upstream.post("/x", { json: { a: 1 } });
  assert.equal(
    seen.slice(2).map(({ method, body }) => method + body),
    ['POST{"a":1}', 'POST{"a":1}'],
  );
  location = `${elsewhere.origin}/end`;
  const error = await errorOf(upstream.post("/x", { json: { a: 1 } }));
  assert.match(error.message, "redirects a request with a body elsewhere");
  assert.equal(elsewhere.requests, []);
});

test.after(() => closeServers());

test.run();
