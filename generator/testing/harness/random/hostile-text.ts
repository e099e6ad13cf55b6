import type { SlotKind } from "./slots.js";

/** What a string would do that is taken for something else than a string, somewhere in a project. */
export const PAYLOADS: readonly string[] = [
  ..."\"'`\\${}()[]<>/*;:,.#@!?|&%~^=+- \t",
  "\n",
  "\r\n",
  "\r",
  "\u2028",
  "\u2029",
  "\u0085",
  "\u001b[31m",
  "\u001b]0;title\u0007",
  "\u202e",
  "\u2066",
  "\u200b",
  "\u200d",
  "\ufe0f",
  "\ufeff",
  "\u{e0049}",
  "\u{1d173}",
  "\u{1f600}",
  "globalThis.__PWNED__=1",
  "${globalThis.__PWNED__=1}",
  "*/ globalThis.__PWNED__=1; /*",
  "*/",
  "/*",
  "*\\/",
  "//",
  "\\*/",
  "x'];globalThis.__PWNED__=1;//",
  "a'+(globalThis.__PWNED__=1)+'",
  '";globalThis.__PWNED__=1;"',
  "\\u0022",
  "\\x22",
  "\\\n",
  "</script><!--",
  "<!--",
  "-->",
  "<img src=x onerror=alert(1)>",
  "@ts-nocheck",
  "@ts-ignore",
  "@ts-expect-error",
  "\n@ts-ignore\n",
  "// @ts-nocheck",
  '/// <reference path="x"/>',
  "\n/ <reference path='x'/>",
  "/* eslint-disable */",
  "eslint-disable",
  "prettier-ignore",
  "# sourceMappingURL=data:,x",
  "//# sourceMappingURL=data:,x",
  "@internal @deprecated {@link x",
  "@(x",
  "@jsx x",
  "__proto__",
  "constructor",
  "{{constructor.constructor 'globalThis.__PWNED__=1'}}",
  "{{{this}}}",
  "{{> x}}",
  "{{who}}",
  "{{/why}}",
  "<%= who %>",
  "{% raw %}",
  "$& $1 $` $'",
  "````\n",
  "~~~\n",
  "\n# H1\n",
  "\n===\n",
  "\n---\n",
  "\n- [ ] a\n",
  "\n1. a",
  "\n> a",
  "\n| a | b |\n| --- | --- |\n",
  "\n    code",
  "[x](javascript:alert(1))",
  "![x](y)",
  "\n[x]: javascript:alert(1)\n",
  "[^1]",
  "**a** __b__ ~~c~~",
  "https://evil.example/x?y_z",
  "www.evil.example",
  "a@evil.example",
  "<https://evil.example>",
  "&lt;&#60;&copy;",
  "\nRUN id\n$(id) `id`",
  "\nINJECTED=1\n",
  "'\nINJECTED=1\n'",
  "export A=1",
  '","scripts":{"postinstall":"id"},"y":"',
  "%PATH% !x ; rm -rf /",
  "value1",
  "func2",
  "schema12.properties",
  "validate0",
  "data0",
  'require("x")',
  "vErrors = null;",
  "handlerUnderTest",
  "inputOfHandler",
  '"title of the test"',
];

/** Identifiers that mean something to the code around them, or to who rewrites it. */
const WORDS: readonly string[] = (
  "value1 func2 schema12 validate0 wrapper1 root3 formats4 pattern5 data data0 vErrors errors errs__1 _errs2 err0 " +
  "props0 items1 evaluated key0 len0 i0 valid0 duplicate0 instancePath parentData rootData dynamicAnchors schemaPath keyword " +
  "require this default class async await arguments eval undefined NaN length call name then type kind definition input " +
  "addIssue keepIssues isEqual handlers validators tools projectRoot globalThis handlerUnderTest inputOfHandler $ _ $$ __x"
).split(" ");

type Random = (below: number) => number;

const RANGES: readonly (readonly [from: number, to: number])[] = [
  [0x20, 0x7e],
  [0x20, 0x7e],
  [0x1, 0x1f],
  [0x7f, 0x2ff],
  [0x300, 0x20ff],
  [0x2000, 0x206f],
  [0x2e80, 0xd7ff],
  [0xe000, 0xffff],
  [0x10000, 0x1ffff],
  [0xe0000, 0xe0fff],
  [0x20000, 0x10ffff],
];

function randomCharacter(random: Random): string {
  const [from, to] = RANGES[random(RANGES.length)] ?? [0x20, 0x7e];
  return String.fromCodePoint(from + random(to - from + 1));
}

/** A string that may stand in a slot of that kind. */
export function hostileString(random: Random, kind: SlotKind): string {
  if (kind !== "word") return fitted(hostileText(random), kind);
  const digits = random(2) === 0 ? String(random(1000)) : "";
  return `${WORDS[random(WORDS.length)]}${digits}`;
}

/** Payloads and characters of all of Unicode, mixed; now and then a long text. */
function hostileText(random: Random): string {
  let pieces = 1 + random(5);
  if (random(50) === 0) pieces += 100;
  let text = "";
  for (; pieces > 0; pieces--) {
    text += random(3) === 0 ? randomCharacter(random) : (PAYLOADS[random(PAYLOADS.length)] ?? "");
  }
  // What comes after it must not be taken for escaped.
  return random(20) === 0 ? `${text}\\` : text;
}

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g;

/**
 * The part of a text that may stand in a slot of that kind, so much changed that it always has the
 * same role: texts are not blank, and keys are no identifiers, which would be written without quotes.
 */
export function fitted(text: string, kind: SlotKind): string {
  switch (kind) {
    case "text":
    case "choice":
      return text.trim() === "" ? `${text}.` : text;
    case "setting":
      return fitted(text.replaceAll("{{", "{ "), "text");
    case "short":
      return wholeCharacters(text, 6);
    case "short key":
      return wholeCharacters(withoutControls(text), 6);
    case "key":
      return quotedKey(withoutControls(text));
    case "word":
      return text.replace(/[^A-Za-z0-9_$]/g, "").replace(/^(?=\d|$)/, "_");
    case "name":
      return wholeCharacters(withoutControls(text), 100);
    case "uri":
      return text.replace(/[^A-Za-z0-9!$&'()*+,;=:@~_-]/g, "").slice(0, 200) || "-";
    case "header":
      return text.replace(/[^\x20-\x7e\xa0-\xff]/g, "").slice(0, 200);
    case "quoted":
      return text.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, "").slice(0, 200);
    case "file":
      return wholeCharacters(withoutControls(text).replace(/[\\/.~:]/g, ""), 60) || "-";
  }
}

function quotedKey(text: string): string {
  return /^[\w$]*$/.test(text) ? `-${text}` : text;
}

function withoutControls(text: string): string {
  return text.replace(CONTROL, "");
}

/** Cuts a text to a number of code units, without splitting a surrogate pair. */
function wholeCharacters(text: string, limit: number): string {
  let whole = "";
  for (const character of text) {
    if (whole.length + character.length > limit) break;
    whole += character;
  }
  return whole;
}
