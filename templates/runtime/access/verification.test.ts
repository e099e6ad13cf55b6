import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Authentication } from "../authentication/authentication.js";
import { keepCallerTokens, tokenOfCaller } from "../authentication/caller-tokens.js";
import { createLog } from "../observe/log.js";
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

test.run();
