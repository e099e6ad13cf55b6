import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { licencesOf, textsOfContained } from "./licences.js";

const root = mkdtempSync(join(tmpdir(), "mcpwright-licences-"));
test.after(() => rmSync(root, { recursive: true, force: true }));

/** A project with these files under `node_modules`. */
function project(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(root, "project-"));
  writeFileSync(join(folder, "package.json"), '{ "name": "mine" }');
  for (const [path, text] of Object.entries(files)) {
    const place = join(folder, "node_modules", path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
  }
  return folder;
}

function licences(files: Readonly<Record<string, string>>, ...modules: string[]): string {
  return licencesOf(
    modules.map((path) => join("node_modules", path)),
    project(files),
  );
}

const PACKAGE = '{ "name": "a", "version": "1.0.0", "license": "ISC", "author": "Ada" }';

test("a package's licence is all its files of licences and notices, and what it states where it has none", () => {
  assert.is(
    licences({ "a/package.json": PACKAGE, "a/x.js": "" }, "a/x.js"),
    "a 1.0.0\n\nISC, by Ada\n",
  );
  const files = {
    "a/package.json": PACKAGE,
    "a/LICENSE-MIT": "MIT text",
    "a/LICENSE-APACHE.md": "Apache text\n",
    "a/NOTICE": "Notice",
    "a/ThirdPartyNotices.txt": "Others",
    "a/licenses/b.txt": "Text of b",
    "a/licenses/deep/c.txt": "no file of this folder",
    "a/license.js": "code",
    "a/notice.json": "{}",
    "a/x.js": "",
  };
  assert.is(
    licences(files, "a/x.js"),
    "a 1.0.0\n\nApache text\n\nMIT text\n\nNotice\n\nOthers\n\nText of b\n",
  );
});

/** The files of a package whose module says that it was built from these sources. */
function builtFrom(...sources: string[]): Record<string, string> {
  return {
    "a/package.json": PACKAGE,
    "a/x.js": "code();\n//# sourceMappingURL=x.js.map\n",
    "a/x.js.map": JSON.stringify({ version: 3, sources, mappings: "" }),
  };
}

const OWN = "a 1.0.0\n\nISC, by Ada\n";

test("a module has the licences of the packages that it was built from", () => {
  const deep = {
    "deep/package.json": '{ "name": "deep", "version": "9.9.9" }',
    "deep/LICENCE": "Deep",
  };
  const pnpm = "../../../node_modules/.pnpm/deep@1.2.3_peer@4.0.0/node_modules/deep/index.js";
  for (const [source, title] of [
    [pnpm, "deep 1.2.3"],
    ["../node_modules/deep/lib/index.js", "deep"],
    ["webpack://a/./node_modules/deep/index.js", "deep"],
    ["..\\node_modules\\deep\\index.js", "deep"],
  ] as const) {
    const found = licences({ ...builtFrom("../src/own.ts", source), ...deep }, "a/x.js");
    assert.is(found, `${OWN}\n${title}, in a 1.0.0\n\nDeep\n`);
  }
  const scoped = "../node_modules/.pnpm/@s+deep@1.0.0/node_modules/@s/deep/index.js";
  assert.is(
    licences(builtFrom(scoped), "a/x.js"),
    `@s/deep 1.0.0, in a 1.0.0\n\nIts licence is not in the package that contains it.\n\n${OWN}`,
  );
});

test("source maps may be in the module, and in sections; what cannot be read names no packages", () => {
  const deep = { "deep/package.json": '{ "name": "deep", "license": "MIT" }' };
  const map = { sources: [null, "../node_modules/deep/index.js"] };
  const inModule = (url: string): Record<string, string> => ({
    ...deep,
    "a/package.json": PACKAGE,
    "a/x.js": `code();\n/*# sourceMappingURL=${url} */\n`,
  });
  const text = JSON.stringify({ sections: [{ offset: {}, map }, { url: "other" }] });
  const base64 = Buffer.from(text).toString("base64");
  for (const url of [
    `data:application/json;charset=utf-8;base64,${base64}`,
    `data:application/json,${encodeURIComponent(text)}`,
  ]) {
    const found = licences(inModule(url), "a/x.js");
    assert.is(found, `${OWN}\ndeep, in a 1.0.0\n\nMIT\n`, url);
  }
  for (const url of ["gone.map", "data:application/json,{", "%", "https://host.example/x.js.map"])
    assert.is(licences(inModule(url), "a/x.js"), OWN, url);
});

test("the licence of each package within another one is found, or an error names the package", () => {
  const files = {
    ...builtFrom("../node_modules/deep/x.js"),
    "deep/package.json": '{ "name": "deep" }',
  };
  const folder = (all: Readonly<Record<string, string>>): string =>
    join(project(all), "node_modules/a");
  assert.equal(textsOfContained([folder({ ...files, "deep/LICENSE": "Deep" })]), { deep: "Deep" });
  assert.throws(
    () => textsOfContained([folder(files)]),
    /contains deep, whose licence is not here/,
  );
});

test.run();
