import { test } from "uvu";
import * as assert from "uvu/assert";
import {
  codes,
  generate,
  generated,
  HANDLER,
  MINE,
  ONE_TOOL,
  toolManifest,
} from "../../harness/projects/emitted-project.js";
import { MemoryProject } from "../../harness/projects/memory-project.js";
import { randomNumbers } from "../../harness/runner/random-numbers.js";

/**
 * The guarantees for what persons wrote in handlers, tests and `package.json`, by number, with the real emitter on
 * projects in memory. `guarantees-of-runs.test.ts` names the files of the others.
 */

test("guarantee 3: over random manifests and edits, no byte that a person wrote is lost", async () => {
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

test("guarantees 1 and 3: adding and removing bodies changes no byte of the other handlers", async () => {
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
  const project = await generated(ONE_TOOL);
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

test("guarantee 5: a handler that cannot be parsed is reported and unchanged; the others are updated", async () => {
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

test("guarantee 6: (F13) a removed item's edited handler is on disk, byte for byte, after 1, 2 and 3 more runs, and is restored with the item", async () => {
  const project = await generated(ONE_TOOL);
  project.write(HANDLER, MINE);
  for (const version of ["1.0.1", "1.0.2", "1.0.3"]) {
    await generate(project, toolManifest([{ name: "other" }], version));
    assert.is(project.text("src/removed/tools/get-forecast.ts"), MINE);
    assert.not.ok(project.has(HANDLER));
  }
  await generate(project, ONE_TOOL);
  assert.is(project.text(HANDLER), MINE);
  assert.not.ok(project.has("src/removed/tools/get-forecast.ts"));
});

test("guarantee 7: a rename keeps the handler's body, even if a local variable in it has the same name", async () => {
  const project = await generated(ONE_TOOL);
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

test("guarantee 7: what other files say of a renamed item and of its types follows", async () => {
  const project = await generated(ONE_TOOL);
  const helper = (input: string, item: string): string =>
    `import type { ${input}, ToolOutput } from "./generated/index.ts";
export const title = (input: GetForecastInput): ToolOutput<"${item}"> => String(input);
`;
  project.write("src/titles.ts", helper("GetForecastInput", "get_forecast"));
  const renamed = toolManifest([{ name: "forecast", renamedFrom: ["get_forecast"] }]);
  const { changes } = await generate(project, renamed);
  const followed = helper("ForecastInput as GetForecastInput", "forecast");
  assert.is(project.text("src/titles.ts"), followed);
  assert.is(changes.find(({ path }) => path === "src/titles.ts")?.reason, "it follows a rename");
  assert.equal((await generate(project, renamed)).operations, []);
});

test("guarantee 7: what files import from an item's own generated module follows its rename", async () => {
  const project = await generated(ONE_TOOL);
  const helper = (names: string, module: string): string =>
    `import type { ${names} } from "./generated/tools/${module}.ts";
export const city = (input: GetForecastInput): unknown => input;
`;
  project.write("src/cities.ts", helper("GetForecastInput", "get-forecast"));
  await generate(project, toolManifest([{ name: "forecast", renamedFrom: ["get_forecast"] }]));
  assert.is(project.text("src/cities.ts"), helper("ForecastInput as GetForecastInput", "forecast"));
});

test("guarantee 7: a rename that leaves the names of the types changes no file, in no run", async () => {
  const project = await generated(ONE_TOOL);
  const helper = `import type { GetForecastInput, ToolInput } from "./generated/index.ts";
import { GetForecastInput as F } from "./generated/index.ts";
export const city = (input: GetForecastInput): F => input;
`;
  project.write("src/cities.ts", helper);
  project.write("src/broken.ts", `import type { GetForecastInput } from "./generated/index.ts"; (`);
  const renamed = toolManifest([{ name: "getForecast", renamedFrom: ["get_forecast"] }]);
  await generate(project, renamed);
  const plan = await generate(project, renamed);
  assert.equal([plan.operations, codes(plan)], [[], []]);
  assert.is(project.text("src/cities.ts"), helper);
});

test("guarantee 7: another item that takes the module of a renamed one keeps its imports", async () => {
  const project = await generated(ONE_TOOL);
  const both = toolManifest([
    { name: "forecast", renamedFrom: ["get_forecast"] },
    { name: "getForecast" },
  ]);
  await generate(project, both);
  const helper = `import type { GetForecastInput } from "./generated/index.ts";
import type { GetForecastInput as G } from "./generated/tools/get-forecast.ts";
export const city = (input: GetForecastInput): G => input;
`;
  project.write("src/cities.ts", helper);
  assert.equal((await generate(project, both)).operations, []);
  assert.is(project.text("src/cities.ts"), helper);
});

test("guarantee 7: a handler that could not be read at the rename follows with its types once it is repaired", async () => {
  const project = await generated(ONE_TOOL);
  const handler = (input: string, name: string, item: string): string =>
    `import type { ${input}, ToolHandler } from "../generated/index.ts";
export const ${name}: ToolHandler<"${item}"> = (input: GetForecastInput) => String(input);
`;
  const mine = handler("GetForecastInput", "getForecast", "get_forecast");
  project.write(HANDLER, `${mine}(`);
  const renamed = toolManifest([{ name: "forecast", renamedFrom: ["get_forecast"] }]);
  await generate(project, renamed);
  project.write(HANDLER, mine);
  await generate(project, renamed);
  assert.is(
    project.text("src/tools/forecast.ts"),
    handler("ForecastInput as GetForecastInput", "forecast", "forecast"),
  );
  assert.equal((await generate(project, renamed)).operations, []);
});

test("guarantee 8: a schema change edits no handler that a person has touched", async () => {
  const project = await generated(ONE_TOOL);
  project.write(HANDLER, MINE);
  const changed = await generate(
    project,
    toolManifest([{ name: "get_forecast", takes: ["city", "days"] }]),
  );
  assert.is(project.text(HANDLER), MINE);
  assert.ok(changed.changes.some(({ path }) => path === "src/generated/tools/get-forecast.ts"));
});

test("guarantee 17: user keys, order and indentation in package.json are kept, and npm's edits cause no conflict", async () => {
  const project = await generated(ONE_TOOL);
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
  assert.equal((await generate(project, ONE_TOOL)).operations, []);
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

test.run();
