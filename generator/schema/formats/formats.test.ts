import { test } from "uvu";
import * as assert from "uvu/assert";
import { FORMAT_CHECKS, hasFormat } from "./format-checks.js";

/** Texts that have a format, then texts that do not; they complement those of the JSON Schema test suite. */
const SAMPLES: Readonly<Record<string, readonly [readonly string[], readonly string[]]>> = {
  date: [
    ["2024-02-29", "2000-02-29"],
    ["2023-02-29", "1900-02-29", "2024-04-31", "2024-1-1", ""],
  ],
  "date-time": [["2024-02-29 12:00:00Z", "2024-02-29T12:00:00+05:30"], ["2024-02-29TT12:00:00Z"]],
  time: [
    ["00:29:60+00:30", "12:00:00.123z"],
    ["12:59:60Z", "12:00:00+05", "12:00:00"],
  ],
  "iso-time": [
    ["12:00:00", "12:00:00+05", "12:00:00+0530"],
    ["24:00:00", "12:00"],
  ],
  "iso-date-time": [["2024-02-29T12:00:00"], ["2024-02-30T12:00:00"]],
  email: [
    ["a@b.cd", "a.b+c@d-e.fg"],
    ["a@b", "a b@c.de", "@b.cd", "a@b..cd", "a@-b.cd"],
  ],
  "idn-email": [
    ["用户@例え.テスト", '"a b"@c.de'],
    ["a b@c.de", "a@b@c.de", "a@"],
  ],
  hostname: [
    ["a", "a-b.c1"],
    ["a_b", "ü.de", "a.", `${"a".repeat(64)}.de`, `${"a.".repeat(127)}a`],
  ],
  "idn-hostname": [
    ["bücher.example", "Bücher.Example"],
    ["bü cher.example", "bücher..example"],
  ],
  uri: [
    ["urn:isbn:1", "a:b", "http://[::1]:80/", "http://u:p@h/?q#f", "a:"],
    ["//x", "x", "/a", "?q", "#f", "http://a\\b", "http://ü.de", "http://a b", "http://[::1", ""],
  ],
  "uri-reference": [
    ["", "a/b:c", "//h/p", "?q", "a:b"],
    ["a b", "%4", "\u00fc"],
  ],
  iri: [
    ["http://bücher.example/straße?q=1"],
    ["//bücher.example", "http://a b", "http://a/\u0080"],
  ],
  url: [
    ["http://user:pw@example.com", "ftp://a.bc:80/x"],
    ["http://127.0.0.1", "http://10.1.1.1", "x"],
  ],
  uuid: [
    ["123e4567-e89b-12d3-a456-426614174000"],
    ["urn:uuid:123e4567-e89b-12d3-a456-426614174000"],
  ],
  regex: [
    ["[a-z]+", "^$", "(?<a>x)\\k<a>"],
    ["(x", "\\Z", "a\\Z"],
  ],
  byte: [
    ["QUJD", "QUI=", "QQ==", ""],
    ["Q=", "QUI=\nx", "QU-_"],
  ],
};

test("formats accept and refuse texts as their specifications require", () => {
  for (const [format, [right, wrong]] of Object.entries(SAMPLES)) {
    for (const text of right)
      assert.ok(hasFormat(text, format), `${format} ${JSON.stringify(text)}`);
    for (const text of wrong) {
      assert.not.ok(hasFormat(text, format), `${format} ${JSON.stringify(text)}`);
    }
    assert.ok(hasFormat(1, format) && hasFormat(null, format), format);
  }
});

test("a format that is not checked accepts every value", () => {
  assert.ok(hasFormat("x", "no-such-format") && hasFormat("x", "password"));
  assert.ok(hasFormat(2 ** 31 - 1, "int32") && hasFormat("x", "int32"));
  assert.not.ok(hasFormat(2 ** 31, "int32") || hasFormat(1.5, "int64"));
});

/** Repeated in texts with an unfitting end, these make a careless regular expression slow. */
const PARTS = [
  "a",
  "-",
  "a-",
  "a.",
  ".",
  "1",
  "1.",
  ":",
  "a:",
  "::",
  "/",
  "@",
  "a@",
  "%41",
  "{a}",
  "\\",
  "ü",
  "xn--",
  "A==",
];
const LONG = 100_000;

test("no text makes a format check slow", () => {
  // A quadratic check would take minutes, so that the test would time out.
  for (const [format, check] of FORMAT_CHECKS) {
    if (check.kind === "number") continue;
    const starts = ["", "http://", "a@", "P", "2024-01-01T", "/", "#", "{", '"'];
    for (const start of starts) {
      for (const part of PARTS) hasFormat(`${start}${part.repeat(LONG / part.length)}\n`, format);
    }
  }
});

test.run();
