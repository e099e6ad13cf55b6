import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { checkPlannedModules } from "./planned-modules.js";

const folder = await mkdtemp(join(tmpdir(), "mcpwright-planned-modules-"));
test.after(() => rm(folder, { recursive: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

test("a package whose package.json makes the compiler itself fail is named, and ends nothing", async () => {
  for (const name of ["@mcpwright/runtime", "@types/node", "sound"]) {
    await write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: "1.0.0" }));
  }
  await write("src/tools/a.ts", 'import "sound";\nimport "faulty/part";\nexport const a = 1;\n');
  const faulty = '{\n  "name": "faulty",\n  "typesVersions": { "*": null }\n}\n';
  await write("node_modules/faulty/package.json", faulty);

  const checked = await checkPlannedModules(folder, [], ["src/tools/a.ts"]);
  assert.equal([...(checked ?? []).keys()], ["node_modules/faulty/package.json"]);
  const { findings = [], text } = checked?.get("node_modules/faulty/package.json") ?? {};
  assert.is(text, faulty);
  assert.match(
    findings.map(({ message }) => message).join("; "),
    /^the package faulty makes .* fail/,
  );
});

test.run();
