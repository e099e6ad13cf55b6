import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../1-load/load.js";
import { WHOLE } from "../testing/lab/fuzz/manifest-rounds.js";
import { shortOrLong } from "../testing/harness/runner/test-length.js";
import { validateManifest } from "./validate.js";

/** The number of contents that `npm test` tries. `npm run fuzz:manifests` tries another number. */
const CONTENTS = shortOrLong(150, 10_000);
/** Longer than a run takes on any machine: a run that has not ended by then hangs. */
const HANGS_AFTER = 600_000;

test("the manifest has no error before it is mutated", () => {
  const { manifest, diagnostics } = loadManifest("mcp.yaml", Buffer.from(WHOLE));
  assert.equal(diagnostics, []);
  const found = manifest === undefined ? [] : validateManifest(manifest);
  assert.equal(
    found.filter(({ severity }) => severity === "error"),
    [],
  );
});

test(`${CONTENTS} mutated manifests, random bytes and random YAML never throw, hang or write`, () => {
  const script = fileURLToPath(new URL("../testing/lab/fuzz/fuzz-manifests.js", import.meta.url));
  const flags = ["--no-warnings", "--experimental-permission", "--allow-fs-read=*"];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...flags, script, String(CONTENTS)],
    { encoding: "utf8", timeout: HANGS_AFTER },
  );
  assert.is(status, 0, stderr);
  const [, accepted = "0"] =
    new RegExp(`^${CONTENTS} contents, (\\d+) of them without an error$`, "m").exec(stdout) ?? [];
  assert.ok(Number(accepted) > CONTENTS / 40, `${accepted} contents were without an error`);
});

test.run();
