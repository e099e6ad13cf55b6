import { readFileSync } from "node:fs";
import { RegExpParser } from "@eslint-community/regexpp";
import { test } from "uvu";
import * as assert from "uvu/assert";
import {
  attackTexts,
  pumped,
  type AttackText,
} from "../../testing/lab/fuzz/matching/attack-texts.js";
import { compile, countSteps } from "../../testing/lab/fuzz/matching/backtracking-matcher.js";
import { hostilePattern } from "../../testing/lab/fuzz/matching/hostile-patterns.js";
import { randomNumbers } from "../../testing/harness/runner/random-numbers.js";
import { fixtureUrl } from "../../testing/harness/runner/shared-data.js";
import { shortOrLong } from "../../testing/harness/runner/test-length.js";
import { PatternCosts } from "./pattern-cost.js";
import { allowedSteps } from "./step-limits.js";

/** Of the OpenAPI documents that `npm run import:documents` reads: each ninth of AWS, and each second of the others. */
const REAL_PATTERNS = JSON.parse(
  readFileSync(fixtureUrl("real-patterns.json"), "utf8"),
) as readonly string[];

const SEED = 3;
const HOSTILE = shortOrLong(100, 3000);
/** Attacks on each pattern. */
const ATTACKS = shortOrLong(4, 200);
/** The lengths of texts for all attacks, and a length for those that take most steps: each such text may take millions. */
const LENGTHS = [20, 200];
const FULL_LENGTH = 2000;
const AT_FULL_LENGTH = shortOrLong(0, 4);

const random = randomNumbers(SEED);

/** The attacks for which the pattern takes more steps than the compiler allows. */
function slowAttacks(source: string, longestText: number): string[] {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode: true });
  const program = compile(pattern);
  if (program === undefined) return [];
  const attacks = attackTexts(pattern, random);
  const step = Math.max(1, attacks.length / ATTACKS);
  const chosen = attacks.filter((_, index) => Math.floor(index % step) === 0);
  const slow: string[] = [];
  const stepsAt = (length: number, attack: AttackText): number => {
    const text = pumped(attack, Math.min(length, longestText));
    if ([...text].length > longestText) return 0;
    const most = allowedSteps(Math.max(20, [...text].length));
    const steps = countSteps(program, text, most);
    if (steps > most) slow.push(text);
    return steps;
  };
  const tried = chosen.map((attack) => {
    const steps = LENGTHS.map((length) => stepsAt(length, attack));
    return { attack, most: Math.max(...steps) };
  });
  tried.sort((one, other) => other.most - one.most);
  for (const { attack } of tried.slice(0, AT_FULL_LENGTH)) stepsAt(FULL_LENGTH, attack);
  return slow;
}

/** The work for one pattern. */
const WORK = shortOrLong(50_000, 1_000_000);

function checkAll(patterns: readonly string[], leastAccepted: number): void {
  let accepted = 0;
  for (const source of patterns) {
    const cost = new PatternCosts(WORK).costOf(source);
    if (cost.kind !== "polynomial" || cost.longestText === 0) continue;
    accepted += 1;
    assert.equal(slowAttacks(source, cost.longestText), [], source);
  }
  assert.ok(accepted >= leastAccepted, `${accepted} of ${patterns.length} were accepted`);
}

test("no accepted pattern of real documents takes more steps than are allowed", () => {
  assert.ok(REAL_PATTERNS.length > 500);
  checkAll(REAL_PATTERNS, REAL_PATTERNS.length * 0.9);
});

test("no accepted pattern of an attacker takes more steps than are allowed", () => {
  const patterns = Array.from({ length: HOSTILE }, () => hostilePattern(random));
  checkAll(patterns, HOSTILE * 0.2);
});

test("steps are counted both for texts that skip the optional beginning of a pattern and for those that do not", () => {
  checkAll(["^a{0,3}a{2,}a{2,}!", "^[ab]{0,2}[^b]{2,}[ab]{2,}!"], 2);
});

test("a match that can reach a repetition at several offsets is counted for each of them", () => {
  for (const source of ["a{1,4}a{2,}!", "[ab]{1,4}[ab]{3}[ab]{2,}$", "^a{0,12}[ab]{2,}!"]) {
    const cost = new PatternCosts(WORK).costOf(source);
    assert.ok(cost.kind === "polynomial" && cost.longestText > 0, source);
    const text = "a".repeat(Math.min(2_000, cost.longestText));
    const most = allowedSteps(text.length);
    assert.ok(stepsOf(source, text, most + 1) <= most, `${source} for ${text.length} characters`);
  }
});

/** The steps of matching a text, or more than `most` if there are more. */
function stepsOf(source: string, text: string, most: number): number {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode: true });
  const program = compile(pattern);
  assert.ok(program);
  return countSteps(program, text, most);
}

test("the steps are counted as an engine takes them", () => {
  const counted = (source: string, text: string): number => stepsOf(source, text, 1e7);
  assert.is(counted("^abc$", "abc"), 5);
  assert.ok(counted("^a*a*$", `${"a".repeat(100)}!`) > 5000);
  assert.ok(counted("^(a+)+$", `${"a".repeat(18)}!`) > 2 ** 18);
  assert.ok(counted("^a{0,99}a{0,99}a{0,99}b$", "a".repeat(200)) > 500_000);
  assert.ok(counted("^[a-z]+(-[a-z]+)*$", `${"a-".repeat(100)}!`) < 2000);
});

test.run();
