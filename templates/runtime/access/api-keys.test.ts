import crypto, { createHash } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { apiKeys } from "./api-keys.js";

const digestOf = (key: string): string => createHash("sha256").update(key).digest("hex");

test("a key is found by its digest and has the scopes of its line", () => {
  const verifier = apiKeys(
    `ci:${digestOf("one")}:read api://books/write\r\n\n bot:${digestOf("two")}\n`,
  );
  assert.equal(verifier.verify("one"), {
    principal: "key:ci",
    scopes: ["read", "api://books/write"],
    via: "apiKey",
  });
  assert.equal(verifier.verify("two"), { principal: "key:bot", scopes: [], via: "apiKey" });
  for (const token of ["", "One", digestOf("one"), "one "])
    assert.not(verifier.verify(token), token);
  assert.not(apiKeys(undefined).verify(""));
});

test("every key is compared with the token by all bytes of its digest, whichever one fits", () => {
  const names = ["first", "second", "third"];
  const verifier = apiKeys(names.map((name) => `${name}:${digestOf(name)}:`).join("\n"));
  const compare = crypto.timingSafeEqual;
  const lengths: number[] = [];
  // `syncBuiltinESMExports` passes the replacement on to modules that import the function by name.
  crypto.timingSafeEqual = (one, other) => {
    lengths.push(one.byteLength, other.byteLength);
    return compare(one, other);
  };
  syncBuiltinESMExports();
  try {
    for (const token of [...names, "first and more", "firs", ""]) {
      lengths.length = 0;
      const found = verifier.verify(token) as { principal: string } | undefined;
      assert.is(found?.principal, names.includes(token) ? `key:${token}` : undefined);
      assert.equal(lengths, Array<number>(6).fill(32), token);
    }
  } finally {
    crypto.timingSafeEqual = compare;
    syncBuiltinESMExports();
  }
});

test("a key may contain bytes beyond ASCII, which HTTP headers pass as Latin-1", () => {
  const received = Buffer.from("schlüssel").toString("latin1");
  assert.ok(apiKeys(`ci:${digestOf("schlüssel")}:`).verify(received));
});

test("an invalid line is reported by its number, without its text", () => {
  const invalidLines = [
    "secret",
    `ci:${digestOf("a").toUpperCase()}:`,
    `:${digestOf("a")}:`,
    "ci:secret:",
  ];
  for (const line of invalidLines) {
    const message = "line 2 of the API keys is not name:sha256:scopes";
    assert.throws(
      () => apiKeys(`ci:${digestOf("a")}:\n${line}`),
      (error: Error) => {
        assert.is(error.message, message);
        return error.name === "SettingError";
      },
    );
  }
});

test.run();
