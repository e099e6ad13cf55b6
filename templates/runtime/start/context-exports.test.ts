import { test } from "uvu";
import * as assert from "uvu/assert";
import { adviceOnExports } from "./context-exports.js";

const CALLED = ["createServices", "closeServices", "authenticate", "ready"];

/** The misspelt names among the names of exports, each with the name that is meant. */
const misspelt = (...names: string[]): unknown =>
  adviceOnExports(Object.fromEntries(names.map((name) => [name, () => undefined])), CALLED).map(
    (advice) => /exports (\w+), .* did you mean (\w+)\?$/.exec(advice)?.slice(1),
  );

test("an export whose name resembles that of a missing function is reported", () => {
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

test("exports whose names resemble no missing function are not reported", () => {
  assert.equal(misspelt("connect", "authorize", "authenticateUser", "services", ""), []);
  assert.equal(adviceOnExports({ authentcate: "no function" }, CALLED), []);
});

test("a short name resembles another if one letter differs", () => {
  assert.equal(misspelt("raedy", "reed", "red", "ad"), []);
  assert.equal(misspelt("redy"), [["redy", "ready"]]);
});

test("a name of a function that the server does not call is not reported", () => {
  const helpers = { authentcate: () => undefined, read: () => undefined };
  assert.equal(adviceOnExports(helpers, ["createServices", "closeServices"]), []);
});

test.run();
