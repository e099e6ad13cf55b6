import { test } from "uvu";
import * as assert from "uvu/assert";
import { isLaterVersion } from "./version-order.js";

test("versions are sorted as Semantic Versioning says", () => {
  // The pre-releases are the example of the specification, §11.
  const inOrder = [
    "0.9.9",
    "0.10.0",
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.1",
    "1.0.0",
    "1.0.1",
    "2.0.0-0",
  ];
  for (const [index, version] of inOrder.entries()) {
    for (const [other, than] of inOrder.entries()) {
      assert.is(isLaterVersion(version, than), index > other, `${version} ${than}`);
    }
  }
});

test("build data does not affect the order, and a text that is no version is later than no version", () => {
  assert.is(isLaterVersion("1.0.0+2", "1.0.0+1"), false);
  assert.is(isLaterVersion("1.0.1+1", "1.0.0"), true);
  for (const [version, than] of [
    ["", "1.0.0"],
    ["9.0", "1.0.0"],
    ["9.0.0", "test"],
  ] as const) {
    assert.is(isLaterVersion(version, than), false);
  }
});

test.run();
