import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../1-load/load.js";
import { canonicalManifest } from "../3-normalize/canonical.js";
import type { LoadedManifest } from "../model/loaded-manifest.js";
import type { SemanticChange } from "../model/plan.js";
import { assertGoldenFiles } from "../testing/harness/runner/golden-files.js";
import { explainedRules } from "./catalogue/explanations.js";
import { allRules } from "./catalogue/index.js";
import { compareManifests } from "./compare.js";

/** Loads a manifest of a rule's example, with a name and a version if it has none. */
function load(text: string, version: string): LoadedManifest {
  const head = [
    ...(/^name:/m.test(text) ? [] : ["name: demo"]),
    ...(/^version:/m.test(text) ? [] : [`version: ${version}`]),
  ];
  const { manifest, diagnostics } = loadManifest(
    "mcp.yaml",
    Buffer.from([...head, text].join("\n")),
  );
  assert.equal(diagnostics, []);
  return manifest!;
}

const explanations = explainedRules();
const explanationOf = (id: string) => explanations.find(({ code }) => code === id)!;

interface Outcome {
  readonly after: LoadedManifest;
  readonly changes: readonly SemanticChange[];
}

function outcomeOf({ id }: (typeof allRules)[number]): Outcome {
  const { example } = explanationOf(id);
  const [, formerText = "", presentText = ""] =
    /^# before\n([^]*)\n\n# after\n([^]*)$/.exec(example) ?? [];
  const before = load(formerText, "1.0.0");
  const after = load(presentText, "2.0.0");
  const [former, present] = [before, after].map(({ value }) => canonicalManifest(value));
  return { after, changes: compareManifests(former!, present!) };
}

/** Rules whose example necessarily provokes other rules as well. */
const COMPANIONS: Readonly<Record<string, readonly string[]>> = {
  "breaking-needs-major-version": ["tool-removed"],
  "breaking-without-major-version": ["tool-removed"],
  "deployment-renamed": ["server-name-changed"],
  "shared-state-renamed": ["server-name-changed"],
};

for (const rule of allRules) {
  test(`${rule.id} is the only rule that reports its example`, () => {
    const { changes } = outcomeOf(rule);
    const expected = [...(COMPANIONS[rule.id] ?? []), rule.id];
    assert.equal(
      changes.map((change) => change.rule),
      expected,
      changes.map(({ path, message }) => `${path}: ${message}`).join("\n"),
    );
    assert.is(changes.at(-1)?.severity, rule.severity);
  });
}

test("the messages and lines of all rules are the expected ones", async () => {
  const blocks = allRules.map((rule) => {
    const { after, changes } = outcomeOf(rule);
    const change = changes.find(({ rule: id }) => id === rule.id)!;
    const { line } = after.locate(change.at, "key");
    return `${rule.id} (${rule.severity}): ${explanationOf(rule.id).title}\n  ${change.path}, line ${line}: ${change.message}\n`;
  });
  const folder = new URL("../../../generator/4-compare/fixtures/", import.meta.url);
  await assertGoldenFiles(folder, [{ path: "rules", content: blocks.join("") }]);
});

test("ids of rules are unique and follow one pattern, and every rule is explained", () => {
  const ids = allRules.map(({ id }) => id);
  assert.equal([...new Set(ids)], ids);
  for (const id of ids) {
    assert.match(id, /^[a-z]+(-[a-z]+)+$/);
    const { title, cause, fix } = explanationOf(id);
    for (const text of [title, cause, fix]) assert.ok(text.length > 0, id);
  }
});

test.run();
