import { test } from "uvu";
import * as assert from "uvu/assert";
import { checkRequired, scopesOf } from "./claims.js";

const claims = {
  realm_access: { roles: ["read", "write"], "a/b": "odd" },
  "https://acme.example/roles": ["admin"],
  "realm_access.roles": "dotted",
  groups: [{ name: "staff" }],
};

test("a claim that begins with a slash is a JSON Pointer to a claim inside others", () => {
  const scopes = (claim: string): string[] => scopesOf(claims, { claim });
  assert.equal(scopes("/realm_access/roles"), ["read", "write"]);
  assert.equal(scopes("/realm_access/a~1b"), ["odd"]);
  assert.equal(scopes("/https:~1~1acme.example~1roles"), ["admin"]);
  assert.equal(scopes("/groups/0/name"), ["staff"]);
  assert.equal(scopesOf(claims, { claim: "/realm_access/roles", prefix: "r" }), ["ead", "write"]);
});

test("other claims are exact names, also with dots and slashes inside", () => {
  assert.equal(scopesOf(claims, { claim: "https://acme.example/roles" }), ["admin"]);
  assert.equal(scopesOf(claims, { claim: "realm_access.roles" }), ["dotted"]);
  assert.equal(scopesOf({ realm_access: { roles: "read" } }, { claim: "realm_access.roles" }), []);
});

test("a pointer finds nothing but own properties of the claims", () => {
  for (const claim of [
    "/realm_access/none",
    "/realm_access/roles/length",
    "/__proto__",
    "/toString/name",
    "toString",
    "/",
  ]) {
    assert.equal(scopesOf(claims, { claim }), [], claim);
  }
});

test("a required claim may be inside others, too", () => {
  checkRequired(claims, { "/realm_access/roles": "read", "realm_access.roles": "dotted" });
  for (const name of ["/realm_access/none", "/realm_access"]) {
    assert.throws(() => checkRequired(claims, { [name]: "read" }), /is not as required/);
  }
});

test.run();
