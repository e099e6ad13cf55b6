import { test } from "uvu";
import * as assert from "uvu/assert";
import { apiKeys } from "./api-keys.js";
import { newKey } from "./new-key.js";

test("a new key is valid with the line that is printed with it, and each new key differs", () => {
  const keys = ["ci", "the build, at night"].map((name) => {
    const [, key = "", , line = ""] = newKey(name).split("\n");
    const { principal, scopes } = apiKeys(`${line}read write`).verify(key) as {
      principal: string;
      scopes: readonly string[];
    };
    assert.equal([principal, scopes], [`key:${name}`, ["read", "write"]]);
    return key;
  });
  assert.is(new Set(keys).size, 2);
});

test("a name that is not allowed in a line is refused", () => {
  for (const name of ["", " ci", "a:b", "a\nb"])
    assert.throws(() => newKey(name), /without a colon/);
});

test.run();
