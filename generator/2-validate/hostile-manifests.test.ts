import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../1-load/load.js";
import type { Diagnostic } from "../model/diagnostic.js";
import {
  overlay,
  ownHostileManifests,
  readHostileManifests,
  SHARED_LIST,
} from "../testing/harness/random/hostile-manifests.js";
import { sharedUrl } from "../testing/harness/runner/shared-data.js";
import { skipTest } from "../testing/harness/runner/skipped-test.js";
import { validateManifest } from "./validate.js";
import { longTest } from "../testing/harness/runner/test-length.js";

/** The names that the list has for causes, and their codes. */
const CODES: Readonly<Record<string, readonly string[]>> = {
  CONTROL_CHAR: ["MW1007", "MW2010"],
  DUPLICATE_ARGUMENT: ["MW2006"],
  DUPLICATE_TOOL: ["MW2004"],
  ENCODING: ["MW1005"],
  FORBIDDEN_KEY: ["MW1017"],
  BIDI: ["MW2306"],
  HIDDEN_TEXT: ["MW2307"],
  INSECURE_BIND: ["MW2051"],
  INSECURE_ORIGIN: ["MW2052"],
  LIMIT_FILE_SIZE: ["MW1004"],
  LIMIT_KEYS: ["MW1022"],
  LIMIT_PROPERTIES: ["MW3042"],
  MAX_DEPTH: ["MW1021"],
  MIME: ["MW2025"],
  NAME_CHARS: ["MW2001"],
  NAME_COLLISION: ["MW2005"],
  NAME_LENGTH: ["MW2002"],
  NAME_RESERVED: ["MW2003"],
  PKG_NAME: ["MW2007"],
  REF_EXTERNAL: ["MW3010"],
  REF_NAME: ["MW3012"],
  REF_UNRESOLVED: ["MW3011"],
  REGEX_UNSAFE: ["MW3031"],
  ROOT_NOT_MAP: ["MW1009"],
  SCHEMA_COST: ["MW3040", "MW3041", "MW3303"],
  SCHEMA_DEFAULT: ["MW3026"],
  SCHEMA_DIALECT: ["MW3008"],
  SCHEMA_FORMAT: ["MW3302"],
  SCHEMA_KEYWORD: ["MW3003", "MW3004", "MW3006", "MW3007"],
  SCHEMA_ROOT: ["MW3001", "MW3002"],
  SCHEMA_UNSATISFIABLE: ["MW3020", "MW3021", "MW3022"],
  SEMVER: ["MW2008"],
  TEMPLATE_UNSUPPORTED: ["MW2030", "MW2031", "MW2033"],
  TEMPLATE_VAR: ["MW2032"],
  TRANSPORT: ["MW1205", "MW2050"],
  TYPE: ["MW1201"],
  TYPE_VERSION: ["MW1202"],
  UNKNOWN_KEY: ["MW1203"],
  UNKNOWN_PLACEHOLDER: ["MW2040"],
  URI: ["MW2020", "MW2021", "MW2022"],
  YAML_ALIAS_EXPANSION: ["MW1020"],
  YAML_DUPLICATE_KEY: ["MW1014"],
  YAML_MERGE_KEY: ["MW1013"],
  YAML_MULTIPLE_DOCS: ["MW1010"],
  YAML_NON_SCALAR_KEY: ["MW1016"],
  YAML_NON_STRING_KEY: ["MW1015"],
  YAML_RECURSIVE_ALIAS: ["MW1019"],
  YAML_SYNTAX: ["MW1008"],
  YAML_TAG: ["MW1012"],
  YAML_TOO_DEEP: ["MW1021"],
  YAML_VERSION: ["MW1011"],
};

/** Y36 is no file content: the test of `readManifest` has it. Y33 is about counts. */
const ELSEWHERE = ["Y36", "Y33"];

/** Cases whose block has fewer findings than its title counts. Further tests below have the others. */
const FINDINGS_IN_BLOCK: Readonly<Record<string, number>> = { N06: 3 };

function diagnose(content: Uint8Array): readonly Diagnostic[] {
  const { manifest, diagnostics } = loadManifest("mcp.yaml", content);
  return manifest === undefined ? diagnostics : validateManifest(manifest);
}

const diagnoseText = (yaml: string): readonly Diagnostic[] => diagnose(Buffer.from(yaml));

const errorsOf = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
  diagnostics.filter(({ severity }) => severity === "error");

const textOf = (diagnostics: readonly Diagnostic[]): string =>
  diagnostics
    .slice(0, 20)
    .map(({ line, column, code, message }) => `${line}:${column} ${code} ${message}`)
    .join("\n");

/** The codes that an outcome accepts; every cause that it names has some. */
function expectedCodes(outcome: string): Set<string> {
  const names = [...outcome.matchAll(/\b[A-Z]{2,}(?:_[A-Z]+)*\b/g)].map(([name]) => name);
  const codes = names.flatMap((name) => (Object.hasOwn(CODES, name) ? (CODES[name] ?? []) : []));
  return new Set(codes);
}

function checkRejected(id: string, outcome: string, diagnostics: readonly Diagnostic[]): void {
  const errors = errorsOf(diagnostics);
  const expected = expectedCodes(outcome);
  assert.ok(expected.size > 0, `${id}: no code stands for ${outcome}`);
  const hits = errors.filter(({ code }) => expected.has(code));
  const [, counted = "1"] = /×([0-9]+)/.exec(outcome) ?? [];
  const least = FINDINGS_IN_BLOCK[id] ?? Number(counted);
  assert.ok(hits.length >= least, `${id}: ${outcome}\n${textOf(diagnostics)}`);
  const [, place] = /@([0-9]+:[0-9]+)/.exec(outcome) ?? [];
  const places = hits.map(({ line, column }) => `${line}:${column}`);
  assert.ok(place === undefined || places.includes(place), `${id}: ${place}, not ${places}`);
}

function check(id: string, outcome: string, content: Uint8Array): void {
  const diagnostics = diagnose(content);
  const summary = `${id}: ${outcome}\n${textOf(errorsOf(diagnostics))}`;
  if (outcome.startsWith("REJECT")) {
    checkRejected(id, outcome, diagnostics);
  } else if (outcome.startsWith("ESCAPE or REJECT")) {
    const expected = expectedCodes(outcome);
    assert.ok(
      errorsOf(diagnostics).every(({ code }) => expected.has(code)),
      summary,
    );
  } else {
    assert.equal(errorsOf(diagnostics), [], summary);
    const expected = expectedCodes(outcome.startsWith("WARN") ? outcome : "");
    const found = diagnostics.some(({ code }) => expected.has(code));
    assert.ok(expected.size === 0 || found, `${id}: ${outcome}\n${textOf(diagnostics)}`);
  }
}

const own = ownHostileManifests();
const { base } = own;
const sharedList = sharedUrl(SHARED_LIST);
const shared = sharedList && readHostileManifests(sharedList);
if (shared === undefined) skipTest("the long list", `../shared/${SHARED_LIST} is absent`);

/** A manifest as large as may be, which takes seconds: in short, `large-lists.test.ts` and `scale.test.ts` have large ones. */
const LARGEST = "Y14";

for (const { id, outcome, content } of [...own.cases, ...(shared?.cases ?? [])]) {
  const declare = id === LARGEST ? longTest : test;
  if (!ELSEWHERE.includes(id)) declare(`${id}: ${outcome}`, () => check(id, outcome, content));
}

test("the base manifests have warnings only", () => {
  for (const yaml of [base, ...(shared === undefined ? [] : [shared.base])]) {
    assert.equal(errorsOf(diagnoseText(yaml)), []);
  }
});

test("N02, S13: each tool has one diagnostic", () => {
  const names = ["/etc/cron.d/x", "'C:\\x'", "'\\\\srv\\s'", "'a:stream'", '"a\\0.ts"'];
  for (const name of names) {
    const yaml = overlay(base, `tools: [{name: ${name}, description: x}]\n`);
    assert.equal(
      errorsOf(diagnoseText(yaml)).map(({ code }) => code),
      ["MW2001"],
      name,
    );
  }
});

test("each tag has one diagnostic", () => {
  const found = diagnoseText(`name: ${"!a ".repeat(20_000)}demo\n`);
  assert.is(found.length, 19_999);
  assert.equal([...new Set(found.map(({ code }) => code))], ["MW1008"]);
});

test("N06: a prompt named __proto__ is refused", () => {
  const found = errorsOf(diagnoseText(overlay(base, "prompts: [{name: __proto__}]\n")));
  assert.equal(
    found.map(({ code }) => code),
    ["MW2003"],
  );
});

test("N20: every kind of bad URI is refused", () => {
  const long = `demo://${"a".repeat(10_000)}`;
  for (const uri of ["data:text/html,x", "relative", "demo://a b", "https://example.com", long]) {
    const yaml = overlay(base, `resources: [{uri: ${JSON.stringify(uri)}, name: x}]\n`);
    assert.is(errorsOf(diagnoseText(yaml)).length, 1, uri);
  }
});

test("N24: every kind of bad package name is refused", () => {
  const long = "a".repeat(215);
  const names = ["favicon.ico", "http", ".x", "_x", "Demo", "a b", long, "@scope", "@a/b/c"];
  for (const name of names) {
    const found = errorsOf(diagnoseText(overlay(base, `name: ${JSON.stringify(name)}\n`)));
    assert.equal(
      found.map(({ code }) => code),
      ["MW2007"],
      name,
    );
  }
});

test("Y24: empty, comment-only, scalar and list roots are refused", () => {
  for (const yaml of ["", "# nothing\n", "---\n", "demo\n", "- a\n", "null\n"]) {
    assert.equal(
      diagnoseText(yaml).map(({ code, line, column }) => `${code} ${line}:${column}`),
      ["MW1009 1:1"],
      yaml,
    );
  }
});

test("Y27: every wide encoding is refused, with and without a byte-order mark", () => {
  const little = Buffer.from(base, "utf16le");
  const big = Buffer.from(little).swap16();
  const utf32 = Buffer.from([...base].flatMap((character) => [character.charCodeAt(0), 0, 0, 0]));
  const marked = Buffer.from(`\uFEFF${base}`, "utf16le");
  for (const content of [little, big, utf32, marked, Buffer.from(marked).swap16()]) {
    assert.equal(
      diagnose(content).map(({ code }) => code),
      ["MW1005"],
    );
  }
});

test.run();
