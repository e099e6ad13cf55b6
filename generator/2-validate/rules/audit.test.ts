import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import { validateManifest } from "../validate.js";

/** The findings of a manifest with this `audit`, in flow style, on line 5. */
function findings(audit: string): string[] {
  const text = `name: a\nversion: 1.0.0\ntransports: [{type: stdio}]\nenv: { AUDIT_FILE: {} }\naudit: ${audit}\n`;
  const loaded = loadManifest("mcp.yaml", Buffer.from(text));
  if (loaded.manifest === undefined) throw new Error(JSON.stringify(loaded));
  return validateManifest(loaded.manifest).map(
    ({ line, column, code }) => `${line}:${column} ${code}`,
  );
}

test("a correct manifest has no findings", () => {
  for (const audit of [
    "{}",
    "{arguments: values}",
    "{to: {env: AUDIT_FILE}, durable: true}",
    "{durable: false}",
  ]) {
    assert.equal(findings(audit), [], audit);
  }
});

test("each mistake is reported at its place", () => {
  for (const [audit, found] of [
    ["{durable: true}", "5:9 MW2109"],
    ["{to: {env: AUDIT_FIL}}", "5:19 MW2080"],
    ["{to: audit.log}", "5:13 MW1201"],
    ["{arguments: all}", "5:20 MW1205"],
  ] as const) {
    assert.equal(findings(audit), [found], audit);
  }
});

test.run();
