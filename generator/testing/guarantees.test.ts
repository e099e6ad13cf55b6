import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../1-load/load.js";
import { emit } from "../5-emit/emit.js";
import { hashContent } from "../6-reconcile/content-hash.js";
import { createHandlerEditor } from "../6-reconcile/handlers/handler-editor.js";
import { LOCK_PATH, LOCK_VERSION } from "../6-reconcile/lock.js";
import { readLock } from "../6-reconcile/read-lock.js";
import { applyUnderLock } from "../7-apply/apply-under-lock.js";
import { isJsonObject, type JsonValue } from "../model/json.js";
import { plan } from "../plan.js";
import { checkedManifest } from "./checked-manifest.js";
import { CrashLoop, newProcess } from "./crash-loop.js";
import {
  careful,
  codes,
  generate,
  generated,
  generatedFiles,
  HANDLER,
  VERSION,
  MINE,
  toolManifest,
} from "./emitted-project.js";
import { MemoryProject, ROOT } from "./memory-project.js";
import { randomNumbers } from "./random-numbers.js";

/**
 * The guarantees of regeneration, by number, with the real emitter on projects in memory. Those that
 * need a disk, a process, a compiler or git are in `guarantees-on-disk.test.ts`: 8 (its second half), 9,
 * 10 (links), 13 to 16 and 18. At random, over thousands of sequences of manifests and edits:
 * `6-reconcile/regeneration.test.ts` (1, 3 to 7, 11, 15, 17). Interrupted everywhere:
 * `7-apply/crashes.test.ts` and `npm run crashes` (12).
 */

const one = toolManifest([{ name: "get_forecast" }]);
const REGISTRY = "src/generated/tools/index.ts";

test("guarantee 1: (F20) the second run writes nothing, and another version only the lock", async () => {
  const project = await generated(one);
  assert.equal((await generate(project, one)).operations, []);
  const again = await plan(checkedManifest(one), project.tree, "1.0.1", careful);
  assert.equal(again.operations, []);
});

test("guarantee 2: the order of the manifest's keys, its line ends and its spelling change no byte", async () => {
  const first = (await generated(one)).snapshot();
  const spelled = `# The same server\r
tools:\r
  - inputSchema: {type: object, properties: {city: {type: string}}, required: [city]}\r
    description: "Does get_forecast."\r
    name: get_forecast\r
x-team: weather\r
version: "1.0.0"\r
name: demo\r
`;
  assert.equal((await generated(spelled)).snapshot(), first);
});

/** Values whose key order reaches the wire. */
const ORDERED = new Set(["inputSchema", "outputSchema", "_meta", "content", "arguments", "result"]);

/** A manifest with the keys of its own objects in another order. */
function shuffled(
  value: JsonValue,
  random: (below: number) => number,
  inSchemas = false,
): JsonValue {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, random));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value);
  for (let index = entries.length - 1; index > 0; index--) {
    const [entry] = entries.splice(random(index + 1), 1);
    if (entry !== undefined) entries.push(entry);
  }
  return Object.fromEntries(
    entries.map(([key, item]) => {
      const isKept = inSchemas || (ORDERED.has(key) && !Array.isArray(item));
      return [key, isKept ? item : shuffled(item, random, key === "schemas")];
    }),
  );
}

test("guarantee 2: the keys of an example's own objects in any order give the same bytes", async () => {
  for (const name of ["weather", "field-guide"]) {
    const path = fileURLToPath(new URL(`../../../examples/${name}/mcp.yaml`, import.meta.url));
    const { manifest } = loadManifest("mcp.yaml", readFileSync(path));
    assert.ok(manifest);
    const first = (await generated(JSON.stringify(manifest?.value))).snapshot();
    for (let seed = 1; seed <= 3; seed++) {
      const other = shuffled(manifest?.value ?? {}, randomNumbers(seed));
      const second = (await generated(JSON.stringify(other))).snapshot();
      const paths = Object.keys({ ...first, ...second });
      assert.equal(
        paths.filter((key) => first[key] !== second[key]),
        [],
      );
    }
  }
});

test("guarantee 3: over random manifests and edits, every byte of a person's is still there", async () => {
  for (let seed = 1; seed <= 10; seed++) {
    const random = randomNumbers(seed);
    const marks = new Set<string>();
    const project = new MemoryProject();
    for (let round = 0; round < 3; round++) {
      const manifest = randomManifest(random);
      await generate(project, manifest);
      const texts = Object.values(project.snapshot("src")).join("\n");
      for (const mark of marks) assert.ok(texts.includes(mark), `seed ${seed}: ${mark}`);
      assert.equal((await generate(project, manifest)).operations, [], `seed ${seed}`);
      const handlers = Object.keys(project.snapshot("src")).filter((path) =>
        path.startsWith("src/tools"),
      );
      for (const path of handlers) {
        const mark = `// ${seed}.${round} ${path}`;
        project.edit(path, (text) => `${text.replaceAll("\n", random(2) ? "\r\n" : "\n")}${mark}`);
        marks.add(mark);
      }
    }
  }
});

test("guarantees 1 and 3: bodies that come and go leave every byte of the handlers beside them", async () => {
  for (let seed = 1; seed <= 5; seed++) {
    const random = randomNumbers(seed);
    const marks = new Set<string>();
    const project = new MemoryProject();
    for (let round = 0; round < 6; round++) {
      const manifest = manifestOfBodies(random);
      await generate(project, manifest);
      assert.equal((await generate(project, manifest)).operations, [], `seed ${seed}`);
      const texts = Object.values(project.snapshot("src")).join("\n");
      for (const mark of marks) assert.ok(texts.includes(mark), `seed ${seed}: ${mark}`);
      const paths = Object.keys(project.snapshot("src"));
      for (const path of paths.filter((one) => /^src\/(?:tools|resources|prompts)\//.test(one))) {
        const mark = `// ${seed}.${round} ${path}`;
        if (random(2)) continue;
        project.edit(path, (text) => `${text}${mark}\n`);
        marks.add(mark);
      }
    }
  }
});

const BODIES = [
  "http: {upstream: api, path: /things}",
  'sql: {database: shop, query: "select 1 as one"}',
  'sql: {database: notes, query: "select 2 as two", row: true}',
  "exec: {command: [date, --utc], output: lines}",
  "mcp: {upstream: far, name: other}",
];

/** Three tools, a resource, a template and a prompt, each with bodies or code. */
function manifestOfBodies(random: (below: number) => number): string {
  const tools = ["alpha", "beta_two", "gamma"].map((name) => {
    const body = BODIES[random(BODIES.length + 2)];
    return `  - {name: ${name}, description: Does ${name}.${body === undefined ? "" : `, ${body}`}}`;
  });
  return `name: demo
version: "1.0.0"
env: {SHOP_DB: {required: true, secret: true}}
upstreams: {api: {baseUrl: "https://api.example"}, far: {mcp: {command: [node, far.js]}}}
databases:
  shop: {type: postgres, url: {env: SHOP_DB}}
  notes: {type: sqlite, file: notes.db}
tools:
${tools.join("\n")}
resources:
  - {name: all, uri: "things://all"${requestOrNone(random)}}
resourceTemplates:
  - {name: one, uriTemplate: "things://{id}"${requestOrNone(random)}, complete: {id: ${source(random)}}, list: ${source(random)}}
  - {name: files, uriTemplate: "files:///{+path}"${directoryOrCode(random)}}
prompts:
  - name: pick
    arguments: [{name: id, complete: ${source(random)}}]
    messages: [{role: user, content: {type: text, text: "Pick {{id}}."}}]
  - {name: ask, description: Asks.${random(2) === 0 ? "" : ", mcp: {upstream: far}"}}
`;
}

/** What completes or lists: code, or a body. */
const source = (random: (below: number) => number): string =>
  random(2) === 0 ? "code" : `{${BODIES[0]}}`;

/** A directory, or code that reads, completes and lists. */
const directoryOrCode = (random: (below: number) => number): string =>
  ["", ", list: code, complete: {path: code}", ", directory: {root: docs}"][random(3)] ?? "";

const requestOrNone = (random: (below: number) => number): string =>
  random(2) === 0 ? "" : `, ${BODIES[0]}`;

/** Up to three tools, some of them renamed from what another run may have had. */
function randomManifest(random: (below: number) => number): string {
  const names = ["alpha", "beta_two", "gamma"].filter(() => random(3) > 0);
  return toolManifest(
    names.map((start) => {
      const name = `${start}${random(2)}`;
      const other = name.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
      return random(2) ? { name } : { name, renamedFrom: [other] };
    }),
  );
}

test("guarantee 4: CRLF, BOM, shebang, tabs, odd indentation and a missing final newline survive in H, S and M files", async () => {
  const project = await generated(one);
  const odd = "\uFEFF#!/usr/bin/env node\r\n\t   // mine\r\n";
  const mine = {
    [HANDLER]: `${odd}export const getForecast = 1`,
    "test/tools/get-forecast.test.ts": `${odd}import { getForecast } from "../../src/tools/get-forecast.js"`,
    "src/context.ts": `${odd}export const context = 1`,
    "README.md": `${odd}# Mine`,
  };
  for (const [path, text] of Object.entries(mine)) project.write(path, text);
  project.edit("package.json", (text) => `\uFEFF${text.replaceAll("\n", "\r\n").trimEnd()}`);
  project.edit("package.json", (text) => text.replaceAll("  ", "\t"));
  const before = project.text("package.json");
  await generate(project, toolManifest([{ name: "get_forecast", takes: ["n"] }], "1.0.1"));
  for (const [path, text] of Object.entries(mine)) assert.is(project.text(path), text, path);
  assert.is(project.text("package.json"), before.replace('"1.0.0"', '"1.0.1"'));

  await generate(project, toolManifest([{ name: "forecast", renamedFrom: ["get_forecast"] }]));
  assert.is(project.text("src/tools/forecast.ts"), `${odd}export const forecast = 1`);
  const test = mine["test/tools/get-forecast.test.ts"]?.replace("{ get", "{ forecast as get");
  assert.is(
    project.text("test/tools/forecast.test.ts"),
    test?.replace("/get-forecast.js", "/forecast.js"),
  );
});

test("guarantee 5: a handler that cannot be parsed is untouched and named; the others proceed", async () => {
  const project = await generated(toolManifest([{ name: "a" }, { name: "b" }]));
  const broken = "export const a = {{ // mine";
  project.write("src/tools/a.ts", broken);
  project.edit("src/tools/b.ts", (text) => `${text}// mine`);
  const next = toolManifest([
    { name: "x", renamedFrom: ["a"] },
    { name: "y", renamedFrom: ["b"] },
  ]);
  for (let run = 0; run < 2; run++) {
    const made = await generate(project, next);
    assert.equal(codes(made), ["MW4005"]);
    assert.is(made.diagnostics[0]?.file, "src/tools/a.ts");
    assert.is(project.text("src/tools/a.ts"), broken);
    assert.match(project.text("src/tools/y.ts"), 'ToolHandler<"y">');
  }
  project.write("src/tools/a.ts", "export const a = {}; // mine");
  assert.equal(codes(await generate(project, next)), []);
  assert.is(project.text("src/tools/x.ts"), "export const x = {}; // mine");
});

test("guarantee 6: (F13) a removed item's edited handler is on disk, byte for byte, after 1, 2 and 3 more runs, and comes back", async () => {
  const project = await generated(one);
  project.write(HANDLER, MINE);
  for (const version of ["1.0.1", "1.0.2", "1.0.3"]) {
    await generate(project, toolManifest([{ name: "other" }], version));
    assert.is(project.text("src/removed/tools/get-forecast.ts"), MINE);
    assert.not.ok(project.has(HANDLER));
  }
  await generate(project, one);
  assert.is(project.text(HANDLER), MINE);
  assert.not.ok(project.has("src/removed/tools/get-forecast.ts"));
});

test("guarantee 7: a rename keeps the body, with a local variable of the same name in it", async () => {
  const project = await generated(one);
  project.write(HANDLER, MINE);
  const renamed = toolManifest([{ name: "forecast", renamedFrom: ["older", "get_forecast"] }]);
  assert.equal(codes(await generate(project, renamed)), []);
  assert.not.ok(project.has(HANDLER));
  const after = MINE.replace("const getForecast", "const forecast").replace(
    "<'get_forecast'>",
    "<'forecast'>",
  );
  assert.match(after, "const forecast = `get_forecast for");
  assert.is(project.text("src/tools/forecast.ts"), after);
  assert.match(project.text("src/generated/tools/forecast.ts"), "../tools/forecast.ts");
  assert.equal((await generate(project, renamed)).operations, []);
});

test("guarantee 8: a schema change edits no handler that a person has touched", async () => {
  const project = await generated(one);
  project.write(HANDLER, MINE);
  const changed = await generate(
    project,
    toolManifest([{ name: "get_forecast", takes: ["city", "days"] }]),
  );
  assert.is(project.text(HANDLER), MINE);
  assert.ok(changed.changes.some(({ path }) => path === "src/generated/tools/get-forecast.ts"));
});

test("guarantee 10: only pristine, locked files are deleted; a lock that names ../x is refused", async () => {
  const project = await generated(toolManifest([{ name: "a" }, { name: "b" }]));
  project.write("src/tools/helper.ts", "// mine, and next to handlers\n");
  project.write("test/generated/mine.ts", "// mine, and among generated files\n");
  const edited = Object.keys(project.snapshot()).filter((path) => /\/(a|b)\b/.test(path));
  for (const path of edited) project.edit(path, (text) => `${text} // mine`);
  const mine = Object.values(project.snapshot()).filter((text) => text.includes("// mine"));
  assert.is(mine.length, edited.length + 2);
  const manifest = toolManifest([{ name: "c" }]);
  await generate(project, manifest);
  const left = Object.values(project.snapshot());
  for (const text of mine) assert.ok(left.includes(text), text);

  project.edit(LOCK_PATH, (text) => text.replace('"src/main.ts"', '"../../x"'));
  for (const adopt of [false, true]) {
    const refused = await generate(project, manifest, { ...careful, adopt });
    assert.equal([codes(refused), refused.operations], [["MW4021"], []]);
  }
});

test("guarantee 11: an edited generated file is never silently overwritten", async () => {
  const project = await generated(one);
  project.edit("src/main.ts", (text) => `${text}// mine\n`);
  const mine = project.text("src/main.ts");
  const next = toolManifest([{ name: "get_forecast" }, { name: "more" }], "1.0.1");
  for (const manifest of [one, next, next]) {
    assert.equal(codes(await generate(project, manifest)), ["MW4001"]);
    assert.is(project.text("src/main.ts"), mine);
  }
  const overwritten = await generate(project, next, { ...careful, overwriteEdited: true });
  assert.equal(codes(overwritten), []);
  assert.is(project.text("src/main.ts.saved"), mine);
});

test("guarantee 12: killed at any call that writes a whole project, or renames in it, it is old or new, then new", async () => {
  const manifest = toolManifest([{ name: "forecast", renamedFrom: ["get_forecast"] }], "2.0.0");
  const output = await emit(checkedManifest(manifest).model);
  const editor = createHandlerEditor();
  const renames = new Map([["tool:forecast", ["tool:get_forecast"]]] as const);
  const edited = await generated(one);
  edited.write(HANDLER, MINE);
  for (const [name, project] of [
    ["a new project", new MemoryProject()],
    ["a rename", edited],
  ] as const) {
    const scenario = { name, project, root: ROOT, output, choices: { editor, renames } };
    const loop = await CrashLoop.of(scenario);
    const check = async (left: Parameters<typeof loop.assertOldOrNew>[0]): Promise<void> => {
      loop.assertOldOrNew(left);
      await loop.assertCompleted(left);
    };
    const kills = await loop.forEachCall({ kind: "is killed", of: "writing calls" }, check, 3);
    assert.ok(kills > 10, `${name}: ${kills} kills`);
  }
});

test("guarantee 13: two runs at once with two manifests: the result is that of one order", async () => {
  const manifests = [one, toolManifest([{ name: "get_forecast" }, { name: "more" }])];
  const start = await generated(toolManifest([{ name: "first" }, { name: "get_forecast" }]));
  start.write(HANDLER, MINE);
  const orders = await Promise.all(
    [manifests, manifests.toReversed()].map(async (order) => {
      const project = new MemoryProject({}, start);
      for (const manifest of order) await generate(project, manifest);
      return JSON.stringify(project.snapshot());
    }),
  );
  const project = new MemoryProject({}, start);
  const processes = newProcess();
  const runs = manifests.map((manifest) =>
    applyUnderLock(
      ROOT,
      project.files,
      (tree) => plan(checkedManifest(manifest), tree, VERSION, careful),
      { processes, patience: 600_000 },
    ),
  );
  for (const { failures } of await Promise.all(runs)) assert.equal(failures, []);
  assert.ok(orders.includes(JSON.stringify(project.snapshot())));
  assert.is(project.text(HANDLER), MINE);
});

test("guarantee 17: user keys, order and indentation in package.json are kept, and npm makes no conflict", async () => {
  const project = await generated(one);
  const before = JSON.parse(project.text("package.json")) as Record<string, object>;
  const { version: _, dependencies, ...rest } = before;
  const [dependency = ""] = Object.keys(dependencies ?? {});
  const mine = {
    dependencies: { ...dependencies, [dependency]: "9.9.9" },
    version: "1.0.1",
    ...rest,
  };
  const text = JSON.stringify(mine, null, 4);
  project.write("package.json", text);
  assert.equal((await generate(project, one)).operations, []);
  const next = await generate(project, toolManifest([{ name: "get_forecast" }, { name: "more" }]));
  // The server reports another version than the package has, which is told and no conflict.
  assert.equal(codes(next), ["MW4014"]);
  assert.is(project.text("package.json"), text);
  // `npm version` and the manifest agree again: still nothing to say.
  const released = await generate(project, toolManifest([{ name: "get_forecast" }], "1.0.1"));
  assert.equal(codes(released), []);
  assert.is(project.text("package.json"), text);

  const conflict = await generate(project, toolManifest([{ name: "get_forecast" }], "3.0.0"));
  assert.equal(codes(conflict), []);
  project.write("package.json", text.replace('"1.0.1"', '"7.7.7"'));
  const kept = await generate(project, toolManifest([{ name: "get_forecast" }], "4.0.0"));
  assert.equal(codes(kept), ["MW4007"]);
  assert.is(project.text("package.json"), text.replace('"1.0.1"', '"7.7.7"'));
  assert.not.match(JSON.stringify(project.snapshot()), /<<<<<<<|>>>>>>>/);
});

test("guarantee 19: a lock of a newer version is refused with a message, and nothing is written", async () => {
  const project = await generated(one);
  const newer = `"lockVersion": ${LOCK_VERSION + 1}`;
  project.edit(LOCK_PATH, (text) => text.replace(`"lockVersion": ${LOCK_VERSION}`, newer));
  const next = toolManifest([{ name: "more" }]);
  for (const adopt of [false, true]) {
    const refused = await generate(project, next, { ...careful, adopt });
    assert.equal([codes(refused), refused.operations], [["MW4009"], []]);
    assert.match(refused.diagnostics[0]?.hint ?? "", "update mcpwright");
  }
});

test("guarantee 20: (F20) from A to B to A, every generated file is the first one", async () => {
  const a = toolManifest([{ name: "get_forecast" }, { name: "x", takes: [] }]);
  const b = toolManifest([{ name: "y", renamedFrom: ["get_forecast"], takes: ["n"] }], "2.0.0");
  const project = await generated(a);
  const first = generatedFiles(project);
  project.write(HANDLER, MINE);
  await generate(project, b);
  await generate(project, a);
  assert.equal(generatedFiles(project), first);
  assert.is(readLock(project.tree).kind, "read");
});

test("guarantee 22: a changed generated file is found whatever the lock says of it", async () => {
  const project = await generated(one);
  const first = project.text(REGISTRY);
  const changed = `${first}// not generated\n`;
  const lock = project.text(LOCK_PATH);
  const [before, after] = [first, changed].map((text) => hashContent(Buffer.from(text)));
  // As a pull request may bring it: a file, and a lock that calls it generated.
  project.write(REGISTRY, changed);
  project.write(LOCK_PATH, lock.replace(before ?? "", after ?? ""));
  const { changes, diagnostics } = await generate(project, one);
  assert.equal([changes.map(({ path }) => path), diagnostics], [[REGISTRY, LOCK_PATH], []]);
  assert.equal([project.text(REGISTRY), project.text(LOCK_PATH)], [first, lock]);
  project.write(REGISTRY, changed);
  const edited = await generate(project, one);
  assert.equal([codes(edited), edited.operations], [["MW4001"], []]);
});

test("each of the guarantees has a test of its number", () => {
  const folder = fileURLToPath(new URL("../../../generator/", import.meta.url));
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts"))
    .map((path) => readFileSync(join(folder, path), "utf8"));
  const named = sources.flatMap((source) =>
    [...source.matchAll(/\btest\(\s*["`]guarantee (\d+): /g)].map(([, number]) => Number(number)),
  );
  const numbers = Array.from({ length: 22 }, (_, index) => index + 1);
  assert.equal(
    numbers.filter((number) => !named.includes(number)),
    [],
  );
});

test.run();
