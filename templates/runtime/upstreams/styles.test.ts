import { test } from "uvu";
import * as assert from "uvu/assert";
import { path } from "./path.js";
import { cookieText, formText, headersOf, queryText } from "./parameters.js";
import { styled, type Style } from "./styles.js";

const LIST = ["blue", "black", "brown"];
const COLOURS = { R: 100, G: 200, B: 150 };

/** OpenAPI's own table of examples for paths, for a value called `color`. */
const IN_PATHS: readonly (readonly [style: Style, value: unknown, text: string])[] = [
  [{ style: "simple" }, "blue", "blue"],
  [{ style: "simple" }, LIST, "blue,black,brown"],
  [{ style: "simple" }, COLOURS, "R,100,G,200,B,150"],
  [{ style: "simple", explode: true }, LIST, "blue,black,brown"],
  [{ style: "simple", explode: true }, COLOURS, "R=100,G=200,B=150"],
  [{ style: "label" }, "blue", ".blue"],
  [{ style: "label" }, LIST, ".blue,black,brown"],
  [{ style: "label" }, COLOURS, ".R,100,G,200,B,150"],
  [{ style: "label", explode: true }, LIST, ".blue.black.brown"],
  [{ style: "label", explode: true }, COLOURS, ".R=100.G=200.B=150"],
  [{ style: "matrix", name: "color" }, "blue", ";color=blue"],
  [{ style: "matrix", name: "color" }, LIST, ";color=blue,black,brown"],
  [{ style: "matrix", name: "color" }, COLOURS, ";color=R,100,G,200,B,150"],
  [{ style: "matrix", name: "color", explode: true }, LIST, ";color=blue;color=black;color=brown"],
  [{ style: "matrix", name: "color", explode: true }, COLOURS, ";R=100;G=200;B=150"],
];

for (const [style, value, text] of IN_PATHS) {
  test(`in a path, ${JSON.stringify(style)} writes ${JSON.stringify(value)}`, () => {
    assert.is(path`/x/${styled(value, style)}/y`, `/x/${text}/y`);
  });
}

/** The same for queries. */
const IN_QUERIES: readonly (readonly [style: Style | undefined, value: unknown, text: string])[] = [
  [undefined, "blue", "color=blue"],
  [undefined, LIST, "color=blue&color=black&color=brown"],
  [undefined, COLOURS, "R=100&G=200&B=150"],
  [undefined, [], ""],
  [undefined, undefined, ""],
  [undefined, null, ""],
  [undefined, 0, "color=0"],
  [undefined, false, "color=false"],
  [undefined, "", "color="],
  [undefined, [{ a: 1 }], "color=%7B%22a%22%3A1%7D"],
  [{ style: "form", explode: false }, LIST, "color=blue,black,brown"],
  [{ style: "form", explode: false }, COLOURS, "color=R,100,G,200,B,150"],
  [{ style: "form", explode: false }, [], ""],
  [{ style: "spaceDelimited" }, LIST, "color=blue%20black%20brown"],
  [{ style: "spaceDelimited", explode: true }, LIST, "color=blue&color=black&color=brown"],
  [{ style: "pipeDelimited" }, LIST, "color=blue%7Cblack%7Cbrown"],
  [{ style: "pipeDelimited" }, COLOURS, "color=R%7C100%7CG%7C200%7CB%7C150"],
  [{ style: "deepObject" }, COLOURS, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"],
  [{ style: "deepObject" }, { a: undefined, b: 1 }, "color%5Bb%5D=1"],
  [{ style: "deepObject" }, LIST, "color%5B0%5D=blue&color%5B1%5D=black&color%5B2%5D=brown"],
  [
    { style: "deepObject" },
    { a: { b: [{ c: 1 }, 2] }, e: [] },
    "color%5Ba%5D%5Bb%5D%5B0%5D%5Bc%5D=1&color%5Ba%5D%5Bb%5D%5B1%5D=2",
  ],
  [{ style: "json" }, { a: [1, "b"] }, "color=%7B%22a%22%3A%5B1%2C%22b%22%5D%7D"],
  [{ style: "json" }, "blue", "color=%22blue%22"],
  [{ style: "json" }, undefined, ""],
  [{ style: "form", allowReserved: true }, "a/b?c:d@e", "color=a/b?c:d@e"],
];

for (const [style, value, text] of IN_QUERIES) {
  test(`in a query, ${JSON.stringify(style)} writes ${JSON.stringify(value)}`, () => {
    assert.is(queryText({ color: style === undefined ? value : styled(value, style) }), text);
  });
}

/** Values that would change which path, query or header it is, and what becomes of them. */
const HOSTILE_SEGMENTS: readonly (readonly [value: unknown, text: string | undefined])[] = [
  ["..", undefined],
  [".", undefined],
  ["", undefined],
  [undefined, undefined],
  [null, undefined],
  ["../admin", undefined],
  ["..\\admin", undefined],
  ["a/../../admin", undefined],
  ["a/..", undefined],
  ["./a", undefined],
  ["%2e%2e", undefined],
  ["%2E%2E%2Fadmin", undefined],
  ["..%2fadmin", undefined],
  ["..%5cadmin", undefined],
  ["%252e%252e", undefined],
  [["..", ".."], "..,.."],
  ["\ud800", undefined],
  ["\udc00a", undefined],
  ["a/b", "a%2Fb"],
  ["a\\b", "a%5Cb"],
  ["a?admin=1", "a%3Fadmin%3D1"],
  ["a#b", "a%23b"],
  ["a;b=c", "a%3Bb%3Dc"],
  ["a b\r\nHost: evil", "a%20b%0D%0AHost%3A%20evil"],
  ["a\0b", "a%00b"],
  ["%2f", "%252f"],
  ["@evil.example", "%40evil.example"],
  ["//evil.example", "%2F%2Fevil.example"],
  ["...", "..."],
  ["..a", "..a"],
  ["é😀", "%C3%A9%F0%9F%98%80"],
];

for (const [value, text] of HOSTILE_SEGMENTS) {
  test(`a value of a path: ${JSON.stringify(value)}`, () => {
    const make = (): string => path`/x/${value}/y`;
    if (text === undefined) assert.throws(make, (error: Error) => error.name === "ToolError");
    else assert.is(make(), `/x/${text}/y`);
  });
}

test("adjacent values of a path must not form a dot segment", () => {
  assert.throws(() => path`/x/${"."}${"."}/y`, "leads to another path");
  assert.throws(() => path`/x/.${"."}/y`, "leads to another path");
  assert.throws(() => path`/x/${"."}`, "leads to another path");
  assert.throws(() => path`/${""}/y`, "empty");
  const hostile = (): string => path`/x/${"a/../b"}/y`;
  assert.throws(hostile, (error: Error) => error.message.startsWith('The value "a/../b" leads'));
  assert.is(path`/x/${"a"}-${"b"}`, "/x/a-b");
  assert.is(path`/x/${1}.json`, "/x/1.json");
});

const HOSTILE_PARAMETERS: readonly (readonly [value: unknown, query: string])[] = [
  ["a&admin=1", "q=a%26admin%3D1"],
  ["a#fragment", "q=a%23fragment"],
  ["a=b", "q=a%3Db"],
  ["a+b", "q=a%2Bb"],
  ["%26admin", "q=%2526admin"],
  ["a\r\nX: y", "q=a%0D%0AX%3A%20y"],
  [["a&b", "c=d"], "q=a%26b&q=c%3Dd"],
  [{ "a&b": "c&d" }, "a%26b=c%26d"],
  [styled("a&b#c+d=e", { style: "form", allowReserved: true }), "q=a%26b%23c%2Bd%3De"],
  [styled(["a,b", "c"], { style: "form", explode: false }), "q=a%2Cb,c"],
  [styled(["a|b", "c"], { style: "pipeDelimited" }), "q=a%7Cb%7Cc"],
  [styled({ "a]": "b" }, { style: "deepObject" }), "q%5Ba%5D%5D=b"],
  ["'\"<>()*!", "q=%27%22%3C%3E%28%29%2A%21"],
];

for (const [value, query] of HOSTILE_PARAMETERS) {
  test(`a value of a query: ${JSON.stringify(value)}`, () => {
    assert.is(queryText({ q: value }), query);
  });
}

test("an unpaired surrogate is refused in a query and in a cookie", () => {
  assert.throws(() => queryText({ q: "\ud800" }), "no well-formed text");
  assert.throws(() => cookieText({ q: "\ud800" }), "no well-formed text");
});

const HOSTILE_HEADERS = [
  "a\r\nHost: evil",
  "a\nb",
  "a\rb",
  "a\0b",
  "a\tb",
  "a\x7fb",
  "a\x85b",
  "a\u2028b",
  "€",
  "Ā",
  "😀",
  "\ud800",
  "\x1b[2J",
];

for (const value of HOSTILE_HEADERS) {
  test(`no header holds ${JSON.stringify(value)}`, () => {
    assert.throws(() => headersOf({ "X-Note": value }), "no header can hold");
  });
}

test("headers may have Latin-1 and lists, and absent values are left out", () => {
  const headers = headersOf({
    "X-A": "é",
    "X-B": ["a", 1],
    "X-C": undefined,
    "X-D": null,
    "X-E": 0,
  });
  assert.equal(headers, { "x-a": "é", "x-b": "a,1", "x-e": "0" });
});

test("the connection's own headers cannot be set", () => {
  for (const name of [
    "Host",
    "content-length",
    "Transfer-Encoding",
    "Connection",
    "Cookie",
    "Proxy-Authorization",
  ]) {
    assert.throws(() => headersOf({ [name]: "x" }), "cannot be set");
  }
});

test("values of cookies are encoded, so that none ends its cookie", () => {
  assert.is(cookieText({ a: 'x; admin=1, "b"', b: undefined }), "a=x%3B%20admin%3D1%2C%20%22b%22");
  assert.is(cookieText({ a: undefined }), undefined);
});

test("forms are written as HTML forms are", () => {
  assert.is(formText({ a: "b c&d", e: ["f", "g"] }), "a=b+c%26d&e=f&e=g");
});

test.run();
