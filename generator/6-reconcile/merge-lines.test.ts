import { test } from "uvu";
import * as assert from "uvu/assert";
import { randomNumbers } from "../testing/harness/runner/random-numbers.js";
import { shortOrLong } from "../testing/harness/runner/test-length.js";
import { linesOf, mergeLines } from "./merge-lines.js";

const BASE = ["# Demo", "", "One tool.", "", "## Run", "npm start", "", "## End"];

const merge = (theirs: readonly string[], ours: readonly string[], base = BASE) =>
  mergeLines(base, ours, theirs.map((line) => `${line}\n`).join(""));

/** The lines with some of them replaced: by another, or by several joined with `|`; removed where it is null. */
function changed(changes: Readonly<Record<number, string | null>>): string[] {
  return BASE.flatMap((line, index) => {
    const change = changes[index];
    return change === undefined ? [line] : change === null ? [] : change.split("|");
  });
}

test("lines that only one side changed get that side's change", () => {
  const { text, conflicts } = merge(
    changed({ 2: "One tool!", 7: "## End|Mine." }),
    changed({ 5: "npm run go" }),
  );
  assert.equal(linesOf(text), changed({ 2: "One tool!", 5: "npm run go", 7: "## End|Mine." }));
  assert.equal(conflicts, []);
});

test("of lines that both sides changed, the user's stay and the generated ones are in the conflict", () => {
  const { text, conflicts } = merge(
    changed({ 2: "My tool.", 5: "mine" }),
    changed({ 2: "Two tools.", 7: "## Last" }),
  );
  assert.equal(linesOf(text), changed({ 2: "My tool.", 5: "mine", 7: "## Last" }));
  assert.equal(
    conflicts.map(({ lines, ours }) => ({ lines, ours })),
    [{ lines: [3, 3], ours: ["Two tools."] }],
  );
  const [{ at } = { at: { start: 0, end: 0 } }] = conflicts;
  assert.is(text.slice(at.start, at.end), "My tool.\n");
});

test("lines that both sides removed or changed in the same way are no conflict", () => {
  for (const same of [
    changed({ 2: null }),
    changed({ 2: "Two." }),
    changed({ 7: "## End|More" }),
  ]) {
    assert.equal(merge(same, same), {
      text: `${same.join("\n")}\n`,
      conflicts: [],
      isReplaced: false,
    });
  }
});

test("lines that the user removed and the generator changed stay removed, and the reverse stay", () => {
  const removed = merge(changed({ 2: null }), changed({ 2: "Two tools." }));
  assert.equal(linesOf(removed.text), changed({ 2: null }));
  assert.equal(
    removed.conflicts.map(({ lines, ours }) => ({ lines, ours })),
    [{ lines: [3, 2], ours: ["Two tools."] }],
  );
  const kept = merge(changed({ 2: "Mine." }), changed({ 2: null }));
  assert.equal(linesOf(kept.text), changed({ 2: "Mine." }));
  assert.equal(
    kept.conflicts.map(({ ours }) => ours),
    [[]],
  );
});

test("changes of neighbouring lines are no conflict", () => {
  for (const [theirs, ours, both] of [
    [{ 4: "## Start" }, { 5: "npm run go" }, { 4: "## Start", 5: "npm run go" }],
    [{ 5: "npm run mine" }, { 5: "npm start|npm test" }, { 5: "npm run mine|npm test" }],
    [{ 5: "npm start|mine" }, { 5: "npm run go" }, { 5: "npm run go|mine" }],
    [
      { 5: "mine|npm start" },
      { 4: "## Go", 5: "npm run go" },
      { 4: "## Go", 5: "mine|npm run go" },
    ],
  ] as const) {
    const { text, conflicts } = merge(changed(theirs), changed(ours));
    if (conflicts.length === 0) assert.equal(linesOf(text), changed(both));
    else assert.equal(linesOf(text), changed(theirs), "or theirs stay whole");
  }
  assert.equal(merge(changed({ 4: "## Start" }), changed({ 5: "npm run go" })).conflicts, []);
  assert.equal(
    merge(changed({ 5: "npm run mine" }), changed({ 5: "npm start|npm test" })).conflicts,
    [],
  );
});

test("each line end of the user's text stays as it is, also a missing final one", () => {
  const ours = changed({ 5: "npm run go", 7: "## End|More" });
  const crlf = changed({ 2: "Mine." }).join("\r\n");
  assert.is(
    mergeLines(BASE, ours, crlf).text,
    changed({ 2: "Mine.", 5: "npm run go", 7: "## End|More" }).join("\r\n"),
  );
  const mixed = "# Demo\r\n\nMine.\n\r\n## Run\r\nnpm start\n\n## End\n";
  assert.is(
    mergeLines(BASE, ours, mixed).text,
    "# Demo\r\n\nMine.\n\r\n## Run\r\nnpm run go\r\n\n## End\nMore\r\n",
  );
  assert.is(mergeLines(BASE, ours, BASE.join("\n")).text, ours.join("\n"));
});

test("nothing is merged into a text that has no line of the base", () => {
  const theirs = "# My own\n\nAll of it.\n";
  const ours = changed({ 5: "npm run go" });
  assert.equal(mergeLines(BASE, ours, theirs), {
    text: theirs,
    conflicts: [{ at: { start: 0, end: 0 }, lines: [1, 3], ours }],
    isReplaced: true,
  });
  assert.equal(mergeLines(BASE, BASE, theirs).conflicts, [], "as long as ours is the same");
  assert.is(mergeLines(BASE, ours, "").text, "");
});

test("after random edits on both sides, no line of the user is lost, and no generated line in parts that the user left alone", () => {
  const below = randomNumbers(5);
  for (let count = 0; count < shortOrLong(2_000, 50_000); count += 1) {
    const base = Array.from({ length: 1 + below(12) }, (_, line) =>
      below(4) === 0 ? "" : `line ${line}`,
    );
    const theirs = edited(base, "theirs", below);
    const ours = edited(base, "ours", below);
    const whole = theirs.map((line) => `${line}\n`).join("");
    const text = below(2) === 0 && theirs.at(-1) !== "" ? whole.slice(0, -1) : whole;
    const merged = mergeLines(base, ours, text);
    const words = JSON.stringify({ base, theirs, ours, merged });
    const lines = linesOf(merged.text);
    for (const line of theirs)
      if (line.startsWith("theirs")) assert.ok(lines.includes(line), words);
    for (const line of ours) {
      const isShown = merged.conflicts.some((conflict) => conflict.ours.includes(line));
      if (line.startsWith("ours")) assert.ok(lines.includes(line) || isShown, words);
    }
    const areSame = (one: readonly string[]): boolean =>
      JSON.stringify(one) === JSON.stringify(base);
    if (areSame(theirs) && text === whole) assert.equal(lines, ours, words);
    if (areSame(ours)) assert.is(merged.text, text, words);
  }
});

/** Changes, adds and removes some lines; new ones begin with a word. */
function edited(base: readonly string[], word: string, below: (limit: number) => number): string[] {
  return base.flatMap((line, index) => {
    const kind = below(12);
    if (kind === 0) return [];
    if (kind === 1) return [`${word} ${index}`];
    if (kind === 2) return [line, `${word} after ${index}`];
    return [line];
  });
}

test.run();
