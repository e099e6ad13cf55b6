import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../1-load/load.js";
import { checkResourceFiles } from "./resource-files.js";

const folder = await mkdtemp(join(tmpdir(), "mcpwright-resource-files-"));
test.after(() => rm(folder, { recursive: true }));

/** The lines of the files that are reported, and their names. */
function absentFiles(items: string): string[] {
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(items));
  return checkResourceFiles(manifest!, folder).map(
    ({ line, message }) => `${line} ${/"(.*)"/.exec(message)?.[1]}`,
  );
}

const ITEMS = `resources:
  - file: docs/help.md
  - file: auto
tools:
  - ui: ui/card.html
  - ui: auto
  - ui:
      file: ui/table.html
  - ui: { file: auto }
  - name: none
`;

test("the files of resources and the pages of tools are reported where they are absent", async () => {
  assert.equal(absentFiles(ITEMS), [
    "2 docs/help.md",
    "3 auto",
    "5 ui/card.html",
    "8 ui/table.html",
  ]);
  await mkdir(join(folder, "ui"));
  await writeFile(join(folder, "ui/card.html"), "");
  assert.equal(absentFiles(ITEMS), ["2 docs/help.md", "3 auto", "8 ui/table.html"]);
});

test("values of other types, which the manifest's schema refuses, are not reported", () => {
  assert.equal(
    absentFiles("resources: [{ file: 7 }]\ntools: [{ ui: [x] }, { ui: { file: 7 } }]"),
    [],
  );
});

test.run();
