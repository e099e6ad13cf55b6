import { test } from "uvu";
import * as assert from "uvu/assert";
import { misspeltExports } from "./context-exports.js";

const found = (...names: string[]): unknown =>
  misspeltExports(Object.fromEntries(names.map((name) => [name, () => undefined]))).map(
    ({ found, meant }) => [found, meant],
  );

test("a function almost called like one that the server calls is found, where that one is missing", () => {
  for (const name of [
    "authentcate",
    "autenticate",
    "authentciate",
    "Authenticate",
    "authenticator",
  ]) {
    assert.equal(found("createServices", name), [[name, "authenticate"]], name);
    assert.equal(found("authenticate", name), [], name);
  }
  assert.equal(found("createService", "closeServises"), [
    ["createService", "createServices"],
    ["closeServises", "closeServices"],
  ]);
});

test("other exports are a project's own business", () => {
  assert.equal(found("connect", "authorize", "authenticateUser", "services", ""), []);
  assert.equal(misspeltExports({ authentcate: "no function" }), []);
});

test.run();
