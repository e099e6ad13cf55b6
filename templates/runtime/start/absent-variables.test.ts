import { test } from "uvu";
import * as assert from "uvu/assert";
import { apiKeys } from "../access/api-keys.js";
import { introspection } from "../access/introspection.js";
import { jwtIssuer } from "../access/jwt.js";
import type { CallerSource } from "../access/caller-source.js";
import { apiKeysIn } from "../access/key-file.js";
import type { SettingValue } from "../access/settings.js";
import { apiKeyFile, apiKeys as keysOfVariable } from "../auth.js";
import type { VerificationServer } from "../authentication/authenticate.js";
import { createDatabases } from "../databases/databases.js";
import type { DatabaseDefinition } from "../databases/definition.js";
import { openPostgres } from "../databases/postgres.js";
import { openSqlite } from "../databases/sqlite.js";
import { createLog } from "../observe/log.js";

/**
 * Variables that guard something, and have no value when the server starts: it does not start, or what they guard stays
 * closed. An empty value counts as none.
 */
const ABSENT: readonly SettingValue[] = [undefined, ""];
const server: VerificationServer = { root: ".", log: createLog({ level: "error" }) } as never;

const jwt = {
  issuer: "https://idp.example",
  audience: ["https://api.example/mcp"],
  algorithms: ["ES256"],
};
const asked = {
  url: "https://idp.example/introspect",
  client: "me",
  secret: "secret",
  cacheMs: 0,
  audience: ["https://api.example/mcp"],
};

test("a server does not start without the issuer, the audience, the keys or the credentials of tokens", () => {
  for (const value of ABSENT) {
    for (const [start, what] of [
      [() => jwtIssuer({ ...jwt, issuer: value }, server), "the issuer of auth.jwt"],
      [() => jwtIssuer({ ...jwt, audience: [value] }, server), "an audience of auth.jwt"],
      [() => jwtIssuer({ ...jwt, jwks: value }, server), "jwks of auth.jwt"],
      [() => introspection({ ...asked, url: value }), "auth.introspection.url"],
      [() => introspection({ ...asked, client: value }), "auth.introspection.client"],
      [() => introspection({ ...asked, secret: value }), "auth.introspection.secret"],
      [() => introspection({ ...asked, audience: [value] }), "an audience of auth.introspection"],
    ] as const) {
      const isMeant = (error: Error): boolean =>
        error.name === "SettingError" && error.message === `${what} has no value`;
      assert.throws(start, isMeant, `${what}: ${JSON.stringify(value)}`);
    }
  }
});

test("without API keys, no key is valid", async () => {
  for (const lines of [undefined, "", "  ", "\n\r\n"]) {
    const { verify } = apiKeys(lines);
    for (const token of ["", " ", "undefined", "null", "placeholder"]) {
      assert.is(await verify(token), undefined, JSON.stringify([lines, token]));
    }
  }
  for (const file of ABSENT) assert.is(await apiKeysIn(file, server).verify(""), undefined);
});

test("a server without API keys says at its start why each is refused", () => {
  const warningsOf = (source: CallerSource<undefined>): string[] => {
    const warnings: string[] = [];
    const log = { warning: (message: string) => warnings.push(message) };
    source.open(undefined, { root: ".", log } as never);
    return warnings;
  };
  for (const value of [undefined, ""]) {
    assert.match(warningsOf(keysOfVariable(() => value))[0] ?? "", "their variable has no value");
    assert.match(warningsOf(apiKeyFile(() => value))[0] ?? "", "of their file has no value");
  }
  assert.equal(warningsOf(keysOfVariable(() => `ci:${"0".repeat(64)}:`)), []);
});

test("a server does not start without the place of a database, and no other is taken", async () => {
  for (const type of ["postgres", "sqlite"] as const) {
    const database = { name: "shop", type, place: { env: "SHOP" }, poolSize: 1, timeoutMs: 1000 };
    const definition = { databases: [database as DatabaseDefinition], openPostgres, openSqlite };
    for (const env of [{}, { SHOP: "" }]) {
      const databases = createDatabases(definition, { env, mock: false, root: "." } as never);
      const message = "The place of the database shop has no value: SHOP is not set.";
      const refused = await databases.check().catch((error: unknown) => error as Error);
      assert.instance(refused, Error, type);
      assert.equal(
        [(refused as Error).name, (refused as Error).message],
        ["SettingError", message],
      );
      await databases.close();
    }
  }
});

test.run();
