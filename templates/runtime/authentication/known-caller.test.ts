import { test } from "uvu";
import * as assert from "uvu/assert";
import { RequestRefused } from "../engine/errors.js";
import type { Authentication } from "./authentication.js";
import { callerOf } from "./known-caller.js";
import { anybody } from "./public-methods.js";

const withToken = (claims: Readonly<Record<string, unknown>>) => ({
  auth: { principal: "https://idp|ada", scopes: [], via: "jwt", claims } satisfies Authentication,
});

/** The code and the words with which a caller is refused. */
function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof RequestRefused) return `${error.error.code} ${error.message}`;
    throw error;
  }
  return "not refused";
}

test("the subject is that of the token, and otherwise the principal", () => {
  assert.is(callerOf(withToken({ sub: "ada" })).subject, "ada");
  const machine: Authentication = { principal: "key:ci", scopes: [], via: "apiKey" };
  assert.is(callerOf({ auth: machine }).subject, "key:ci");
});

test("claims have the types that are asked for", () => {
  const claims = { sub: "ada", tenant: "acme", level: 3, ratio: 0.5, staff: false };
  const types = { tenant: "string", level: "integer", ratio: "number", staff: "boolean" } as const;
  const { sub: _sub, ...expected } = claims;
  assert.equal(callerOf(withToken(claims), types).claims, expected);
});

test("without credentials, a subject or a claim of the type, the caller is refused with 403 in words", () => {
  for (const context of [{}, { auth: undefined }, { auth: anybody }]) {
    assert.match(
      refusal(() => callerOf(context)),
      /^403 This needs to know who calls/,
    );
  }
  const { sub: _none, ...nameless } = withToken({ client_id: "batch" }).auth.claims as { sub?: "" };
  assert.match(
    refusal(() => callerOf(withToken(nameless))),
    /^403 .*a token with a subject/,
  );
  const wrong: readonly unknown[] = [undefined, null, "", 5, ["acme"], { tenant: "acme" }];
  for (const tenant of wrong) {
    const found = refusal(() => callerOf(withToken({ sub: "ada", tenant }), { tenant: "string" }));
    assert.is(
      found,
      "403 This needs the claim tenant of the type string, which the caller does not have",
    );
  }
  assert.match(
    refusal(() => callerOf(withToken({ sub: "ada" }), { toString: "string" } as never)),
    /^403 .*claim toString/,
  );
  for (const level of [1.5, "3", Number.NaN, 2 ** 53]) {
    assert.match(
      refusal(() => callerOf(withToken({ sub: "a", level }), { level: "integer" })),
      /^403/,
    );
  }
});

test.run();
