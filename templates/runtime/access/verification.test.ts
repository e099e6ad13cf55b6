import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Authentication } from "../authentication/authentication.js";
import { keepCallerTokens, tokenOfCaller } from "../authentication/caller-tokens.js";
import { createLog } from "../observe/log.js";
import { readEnvironment } from "../start/env.js";
import { Settings } from "../upstreams/settings.js";
import { identifiersOf } from "./settings.js";
import { verification, type TokenVerifier } from "./verification.js";

const knowing = (via: NonNullable<Authentication["via"]>): TokenVerifier => ({
  verify: async () => ({ principal: "ada", scopes: [], via }),
});

const verified = async (verifier: TokenVerifier): Promise<Authentication | undefined> =>
  verification([verifier], { root: ".", log: createLog() }).verify("what-was-shown");

test("verified tokens are kept only in servers that exchange them, and keys of machines never", async () => {
  assert.is(tokenOfCaller(await verified(knowing("jwt"))), undefined);
  keepCallerTokens();
  assert.is(tokenOfCaller(await verified(knowing("jwt"))), "what-was-shown");
  assert.is(tokenOfCaller(await verified(knowing("introspection"))), "what-was-shown");
  assert.is(tokenOfCaller(await verified(knowing("apiKey"))), undefined);
  const caller = await verified(knowing("jwt"));
  assert.not.match(JSON.stringify(caller), "what-was-shown");
});

test("clients and services get an issuer in the form that its variable has, with a final slash or without", () => {
  const forms = ["https://idp.example", "https://idp.example/", "https://idp.example/tenant"];
  for (const form of forms) {
    const { env } = readEnvironment(
      [{ name: "ISSUER", type: "url", required: true, secret: false }],
      { ISSUER: form },
    );
    const resource = { resource: env.ISSUER as URL, authorizationServers: [env.ISSUER as URL] };
    const { protectedResource } = verification([], { root: ".", log: createLog() }, resource);
    assert.equal(protectedResource, { resource: form, authorizationServers: [form] });
    assert.is(new Settings(env, ".").text({ env: "ISSUER" }), form);
  }
});

test("a token of an issuer without a path may name it with a final slash or without", () => {
  const both = ["https://idp.example", "https://idp.example/"];
  for (const form of both) {
    const { env } = readEnvironment(
      [{ name: "ISSUER", type: "url", required: true, secret: false }],
      { ISSUER: form },
    );
    assert.equal(identifiersOf(env.ISSUER as URL, "the issuer").toSorted(), both);
  }
});

test.run();
