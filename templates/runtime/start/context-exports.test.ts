import { test } from "uvu";
import * as assert from "uvu/assert";
import { misspeltExports } from "./context-exports.js";

const misspelt = (...names: string[]): unknown =>
  misspeltExports(Object.fromEntries(names.map((name) => [name, () => undefined]))).map(
    ({ name, intendedName }) => [name, intendedName],
  );

test("an export whose name is similar to that of a missing function is reported", () => {
  for (const name of [
    "authentcate",
    "autenticate",
    "authentciate",
    "Authenticate",
    "authenticator",
  ]) {
    assert.equal(misspelt("createServices", name), [[name, "authenticate"]], name);
    assert.equal(misspelt("authenticate", name), [], name);
  }
  assert.equal(misspelt("createService", "closeServises"), [
    ["createService", "createServices"],
    ["closeServises", "closeServices"],
  ]);
});

test("other exports are not reported", () => {
  assert.equal(misspelt("connect", "authorize", "authenticateUser", "services", ""), []);
  assert.equal(misspeltExports({ authentcate: "no function" }), []);
});

test.run();
