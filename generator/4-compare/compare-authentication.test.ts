import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "../model/json.js";
import { compareAuthentication } from "./compare-authentication.js";

const RESOURCE = "https://a.example/mcp";
const ISSUER = "https://idp.example";

function changes(before: JsonObject | undefined, after: JsonObject | undefined): string[] {
  const manifestOf = (auth: JsonObject | undefined) => (auth === undefined ? {} : { auth });
  return compareAuthentication(manifestOf(before), manifestOf(after)).map(
    ({ severity, message }) => `${severity}: ${message}`,
  );
}

const issuing = (settings: JsonObject = {}): JsonObject => ({
  resource: RESOURCE,
  jwt: [{ issuer: ISSUER, ...settings }],
});

test("refusing credentials that were accepted is breaking, and accepting more is not", () => {
  const narrower: readonly (readonly [JsonObject | undefined, JsonObject, string])[] = [
    [undefined, issuing(), "requests without credentials"],
    [{ ...issuing(), apiKeys: { env: "KEYS" } }, issuing(), "API keys"],
    [
      issuing({ algorithms: ["ES256", "PS256"] }),
      issuing({ algorithms: ["ES256"] }),
      `PS256 tokens of ${ISSUER}`,
    ],
    [
      issuing(),
      issuing({ require: { tenant: "acme" } }),
      `tokens of ${ISSUER} without tenant acme`,
    ],
    [issuing(), issuing({ strict: true }), `tokens of ${ISSUER} without the type at+jwt`],
    [issuing({ audience: ["a", "b"] }), issuing({ audience: ["a"] }), `tokens of ${ISSUER} for b`],
    [
      { ...issuing(), public: ["tools/list", "server/discover"] },
      { ...issuing(), public: ["server/discover"] },
      "requests for tools/list without credentials",
    ],
    [{ ...issuing(), introspection: { url: { env: "URL" } } }, issuing(), "tokens that $URL knows"],
  ];
  for (const [before, after, credentials] of narrower) {
    assert.equal(changes(before, after), [`breaking: ${credentials} are refused now`]);
    assert.equal(
      changes(after, before),
      before === undefined
        ? ["warning: the manifest does not say any more who may call"]
        : [`info: ${credentials} are accepted now`],
    );
  }
});

test("stating a default is no change", () => {
  assert.equal(changes(issuing(), issuing({ algorithms: ["RS256", "ES256"], strict: false })), []);
  assert.equal(changes(undefined, undefined), []);
});

test("a preset and the settings that it fills in are the same to a comparison", () => {
  const preset = { preset: "google", client: "a" };
  const stated = {
    issuer: "https://accounts.google.com",
    audience: ["a"],
    algorithms: ["RS256"],
  };
  const auth = (jwt: JsonObject): JsonObject => ({ resource: RESOURCE, jwt: [jwt] });
  assert.equal(changes(auth(stated), auth(preset)), []);
  assert.equal(changes(auth(stated), auth({ ...preset, client: "b" })), [
    "breaking: tokens of https://accounts.google.com for a are refused now",
    "info: tokens of https://accounts.google.com for b are accepted now",
  ]);
});

test.run();
