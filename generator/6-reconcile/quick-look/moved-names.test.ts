import { test } from "uvu";
import * as assert from "uvu/assert";
import { createHandlerEditor } from "../handlers/handler-editor.js";
import type { HandlerIdentity, ModuleMoves } from "../source-editor.js";
import { MovedNames } from "./moved-names.js";

const editor = createHandlerEditor();

const moves: ModuleMoves = new Map([
  ["src/tools/go", { to: "src/tools/walk", exports: new Map([["go", "walk"]]) }],
  ["src/resources/go.complete", { to: "src/resources/b.complete", exports: new Map() }],
]);

/** Ways to name a module, around what stands between its quotation marks. */
const NOTATIONS: readonly ((path: string) => string)[] = [
  (path) => `import { go } from "${path}";`,
  (path) => `import type { go as other } from '${path}';`,
  (path) => `import "${path}"`,
  (path) => `import { type go } from\n"${path}" with { type: "json" };`,
  (path) => `export { go } from "${path}";`,
  (path) => `export * from '${path}';`,
  (path) => `export * as all from/**/'${path}';`,
  (path) => `const all = await import("${path}");`,
  (path) => `void import(\`${path}\`);`,
  (path) => `const { go } = require('${path}');`,
  (path) => `import all = require("${path}");`,
  (path) => `type All = typeof import("${path}");`,
  (path) => `let go: import('${path}').Go<1>;`,
  (path) => `/// <reference path="${path}" />`,
  (path) => `/** @import { go } from "${path}" */`,
  (path) => `/** @type {import("${path}").go} */ let it;`,
  (path) => `vi.mock("${path}"); const text = "${path}";`,
];

/** How the name of what moves may be written, also together with what is not it. */
const NAMES = [
  "go",
  "go.js",
  "go.ts",
  "go.mjs",
  "go.tsx",
  "go.json",
  "go.complete.js",
  "go/index.js",
  "go/",
  "go/.",
  "x/../go.js",
  "going.js",
  "ago.js",
  ".",
  "./",
  "",
  ".js",
  "other.js",
  "g\\u006f.js",
  "\\u{67}o.js",
  "\\x67o.js",
  "\\go.js",
  "g\\\no",
  "g\\\r\no.js",
  "g\\u2028o.js",
  "g\\\u2028o.js",
  "g\\no.js",
  "x\\/..\\/go.js",
  "go\\x2ejs",
  "o\\\\go.js",
];

const STARTS = ["./", "../", "./tools/", "../tools/", "../src/tools/", "\\x2e/", "..\\u002ftools/"];

const PATHS = [
  "src/tools/own.ts",
  "src/own.ts",
  "src/tools/go/own.ts",
  "src/tools/go/deep/own.ts",
  "src/tools/go.js/own.ts",
  "src/resources/own.ts",
  "test/own.test.ts",
];

const own: HandlerIdentity = { item: "tool:own", exportName: "own" };
const handler = { former: own, now: own, stub: "" };

/** Whether a compiler finds that nothing is to be done, in a module of either kind. */
function isUnchanged(path: string, source: string): boolean {
  const task = { from: path, to: path, moves };
  const found = [task, { ...task, handler }].map((one) => editor.edit(source, one));
  return found.every((changes) => changes?.splices.length === 0);
}

test("what no name of a moved module is in needs no compiler, however modules are imported", () => {
  const names = new MovedNames(moves);
  // Each path in some of the notations, and all of them in all places.
  let sources = 0;
  const counts = { changed: 0, spared: 0, doubtful: 0 };
  for (const path of PATHS) {
    for (const end of STARTS.flatMap((start) => NAMES.map((name) => start + name))) {
      for (let turn = 0; turn < 4; turn++) {
        const notation = NOTATIONS[sources++ % NOTATIONS.length]!;
        const source = `${notation(end)}\nexport const own = 1;\n`;
        const isDoubtful = names.mayBeImportedBy(path, source);
        const isChanged = !isUnchanged(path, source);
        assert.ok(isDoubtful || !isChanged, `${path}: ${source}`);
        counts[isChanged ? "changed" : isDoubtful ? "doubtful" : "spared"]++;
      }
    }
  }
  assert.ok(counts.changed > 500 && counts.spared > 500, JSON.stringify(counts));
});

test("what is common in handlers raises no doubt", () => {
  const names = new MovedNames(moves);
  for (const source of [
    'import { go } from "go";\nexport const own = async () => go("\\n\\"\\\\");',
    'import { read } from "../lib/read.js"; // going/on\nexport const own = (a, b) => a / b;',
    "export const own = `\\t${a}\\r\\n`.split(/\\//);",
  ]) {
    assert.not(names.mayBeImportedBy("src/tools/own.ts", source), source);
  }
});

test("a name that is no plain one may be imported by all, and where nothing moves, nothing by any", () => {
  const move = { to: "src/tools/b", exports: new Map<string, string>() };
  assert.ok(new MovedNames(new Map([["src/tools/it's", move]])).mayBeImportedBy("src/a.ts", ""));
  assert.not(new MovedNames(new Map()).mayBeImportedBy("src/a.ts", 'import "./\\u0061.js"'));
});

test.run();
