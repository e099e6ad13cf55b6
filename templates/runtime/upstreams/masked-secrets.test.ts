import { test } from "uvu";
import * as assert from "uvu/assert";
import { closeServers, TestServer, upstreamOf } from "../samples/local-internet.js";

const SECRET = 'p4ss/word+with=signs&"quotes"';

/** Texts in which an upstream may give a secret away, and the part of them that must not be there. */
const LEAKS: Readonly<Record<string, string>> = {
  plain: SECRET,
  "URL-encoded": encodeURIComponent(SECRET),
  base64: Buffer.from(SECRET).toString("base64"),
  "base64 for URLs": Buffer.from(SECRET).toString("base64url"),
  "as JSON": JSON.stringify(SECRET).slice(1, -1),
  "as the pair of basic auth": Buffer.from(`me:${SECRET}`).toString("base64"),
};

for (const [form, leak] of Object.entries(LEAKS)) {
  test(`a secret, ${form}, is masked in texts, values and errors`, async () => {
    const server = await TestServer.open(({ url }, _request, response) => {
      const type = url === "/text" ? "text/plain" : "application/json";
      response.writeHead(url === "/error" ? 401 : 200, { "content-type": type });
      const value = { message: `is ${leak} yours?`, list: [leak], [leak]: 1 };
      response.end(url === "/text" ? `is ${leak} yours?` : JSON.stringify(value));
    });
    const auth = { kind: "basic", username: "me", password: { env: "KEY" } } as const;
    const { upstream } = upstreamOf({ baseUrl: server.origin, auth }, { env: { KEY: SECRET } });
    const texts = [
      String((await upstream.get("/text")).content()),
      String((await upstream.get("/json")).content()),
      JSON.stringify((await upstream.get("/json")).json()),
      (await upstream.get("/error")).failure().message,
    ];
    for (const text of texts) {
      assert.match(text, "[masked]");
      assert.ok(!text.includes(leak) && !text.includes(SECRET), text);
    }
  });
}

test("a secret with JSON escapes is masked, and short secrets are not", async () => {
  const escapes = [...SECRET].map(
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const server = await TestServer.open((_seen, _request, response) => {
    response
      .setHeader("content-type", "application/json")
      .end(`{"a":"${escapes.join("")}","b":"short"}`);
  });
  const { upstream } = upstreamOf(
    { baseUrl: server.origin },
    { env: { KEY: SECRET, SHORT: "short" } },
  );
  assert.equal((await upstream.get("/")).json(), { a: "[masked]", b: "short" });
});

test.after(() => closeServers());

test.run();
