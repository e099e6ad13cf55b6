import { test } from "uvu";
import * as assert from "uvu/assert";
import { apiKeys } from "./api-keys.js";
import { newKey } from "./new-key.js";

test("a new key is known by the line that is shown with it, and is another each time", () => {
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

test("a name that no line can have is refused", () => {
  for (const name of ["", " ci", "a:b", "a\nb"])
    assert.throws(() => newKey(name), /without a colon/);
});

test.run();
