import { test } from "uvu";
import * as assert from "uvu/assert";
import { hashBytes, hashContent } from "./content-hash.js";

test("the hash of a content is that of its bytes with LF in the place of each CRLF, and of no other CR", () => {
  for (const [content, hashed] of [
    ["", ""],
    ["a\nb\n", "a\nb\n"],
    ["a\r\nb\r\n", "a\nb\n"],
    ["\r\n\r\n", "\n\n"],
    ["a\rb\r", "a\rb\r"],
    ["\r\r\n\n", "\r\n\n"],
    ["\xff\0\r\n\x80", "\xff\0\n\x80"],
  ] as const) {
    const [bytes, wanted] = [content, hashed].map((text) => Buffer.from(text, "latin1"));
    assert.is(hashContent(bytes!), hashBytes(wanted!), JSON.stringify(content));
  }
});

test.run();
