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

/** Installs packages without types, which the check wants to be there. */
async function installNeeded(...others: string[]): Promise<void> {
  for (const name of ["@mcpwright/runtime", "@types/node", ...others]) {
    await write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: "1.0.0" }));
  }
}

test("types of a package that have changed since the last check are read again", async () => {
  await installNeeded("days");
  await write("src/tools/b.ts", 'import { days } from "days";\nexport const b: number = days;\n');
  const messages = async (type: string): Promise<unknown> => {
    await write("node_modules/days/index.d.ts", `export declare const days: ${type};\n`);
    const checked = await checkPlannedModules(folder, [], ["src/tools/b.ts"]);
    return checked?.get("src/tools/b.ts")?.findings.map(({ message }) => message);
  };
  assert.equal(await messages("number"), []);
  assert.equal(await messages("string"), ["Type 'string' is not assignable to type 'number'."]);
  assert.equal(await messages("1 | 2"), []);
});

test("a module that cannot be read has one finding, the first", async () => {
  await installNeeded();
  const sides = "export const c: number = 1;\n=======\nexport const c: number = '';\n";
  await write("src/tools/c.ts", `<<<<<<< HEAD\n${sides}>>>>>>> b\n`);
  const checked = await checkPlannedModules(folder, [], ["src/tools/c.ts"]);
  const findings = checked?.get("src/tools/c.ts")?.findings ?? [];
  assert.equal(
    findings.map(({ line, message }) => [line, message]),
    [[1, "Merge conflict marker encountered."]],
  );
});

test("a package whose package.json makes the compiler itself fail is named, and ends nothing", async () => {
  await installNeeded("sound");
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
