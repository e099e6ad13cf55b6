import { test } from "uvu";
import * as assert from "uvu/assert";
import { readLock } from "./6-reconcile/read-lock.js";
import { applyPlan } from "./7-apply/apply.js";
import type { Plan } from "./model/plan.js";
import { plan } from "./plan.js";
import { checkedManifest } from "./testing/checked-manifest.js";
import { MemoryProject, ROOT } from "./testing/memory-project.js";
import { randomNumbers } from "./testing/random-numbers.js";

/** The guarantees of regeneration with the real emitter, on a project in memory. */

const identity = { version: "1.0.0", templates: "t" };
const careful = { overwriteEdited: false, adopt: false };

interface TestTool {
  readonly name: string;
  readonly renamedFrom?: readonly string[];
  /** Properties of its input, each a string. */
  readonly takes?: readonly string[];
}

function manifest(tools: readonly TestTool[], version = "1.0.0"): string {
  const items = tools.map(({ name, renamedFrom, takes = ["city"] }) => ({
    name,
    ...(renamedFrom && { renamedFrom }),
    description: `Does ${name}.`,
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(takes.map((key) => [key, { type: "string" }])),
      required: takes,
    },
  }));
  return JSON.stringify({ name: "demo", version, tools: items });
}

async function generate(project: MemoryProject, yaml: string, options = careful): Promise<Plan> {
  const made = await plan(checkedManifest(yaml), project.tree, identity, options);
  assert.equal(applyPlan(ROOT, made, project.files), []);
  return made;
}

async function generated(yaml: string): Promise<MemoryProject> {
  const project = new MemoryProject();
  await generate(project, yaml);
  return project;
}

function codes({ diagnostics }: Plan): string[] {
  return diagnostics.map(({ code }) => code);
}

/** Every file that the lock calls generated. */
function generatedFiles(project: MemoryProject): Record<string, string> {
  const state = readLock(project.tree);
  const files = state.kind === "read" ? [...state.lock.files] : [];
  const owned = files.filter(([, { owner }]) => owner === "generated");
  return Object.fromEntries(owned.map(([path]) => [path, project.text(path)]));
}

const one = manifest([{ name: "get_forecast" }]);
const HANDLER = "src/tools/get-forecast.ts";

const MINE = `\uFEFFimport { type ToolHandler } from '../generated/index.js'\r
\r
export const getForecast: ToolHandler<'get_forecast'> =\tasync ({ city }) => {\r
\tconst forecast = \`get_forecast for \${city}\`; // getForecast\r
   return forecast}`;

test("guarantee 1: the second run writes nothing, quick look or not", async () => {
  const project = await generated(one);
  assert.equal((await generate(project, one)).operations, []);
  // Another version of the same templates has to look at everything.
  const newer = { ...identity, templates: "other" };
  const again = await plan(checkedManifest(one), project.tree, newer, careful);
  assert.equal(
    again.changes.map(({ path }) => path),
    ["mcpwright.lock.json"],
  );
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

test("guarantees 3, 4, 7: a rename keeps every other byte of an edited handler", async () => {
  const project = await generated(one);
  project.write(HANDLER, MINE);
  const renamed = manifest([{ name: "forecast", renamedFrom: ["older", "get_forecast"] }]);
  const moved = await generate(project, renamed);
  assert.equal(codes(moved), []);
  assert.not.ok(project.has(HANDLER));
  const after = MINE.replace("const getForecast", "const forecast").replace(
    "<'get_forecast'>",
    "<'forecast'>",
  );
  assert.is(project.text("src/tools/forecast.ts"), after);
  assert.match(project.text("src/generated/tools.ts"), "../tools/forecast.js");
  assert.equal((await generate(project, renamed)).operations, []);
});

test("a chain of renames, one generation after the other and all at once", async () => {
  for (const generations of [
    [
      ["b", ["a"]],
      ["c", ["b", "a"]],
      ["d", ["c"]],
    ],
    [["d", ["c", "b", "a"]]],
  ] as const) {
    const project = await generated(manifest([{ name: "a" }]));
    project.edit("src/tools/a.ts", (text) => `${text}// mine`);
    for (const [name, renamedFrom] of generations) {
      assert.equal(codes(await generate(project, manifest([{ name, renamedFrom }]))), []);
    }
    assert.match(project.text("src/tools/d.ts"), /export const d: ToolHandler<"d">[^]*\/\/ mine$/);
    assert.equal(Object.keys(project.snapshot("src/tools")), ["src/tools/d.ts"]);
  }
});

test("a removed handler comes back under the new name of its item", async () => {
  const project = await generated(one);
  project.write(HANDLER, MINE);
  await generate(project, manifest([{ name: "other" }]));
  assert.is(project.text("src/removed/tools/get-forecast.ts"), MINE);
  const back = manifest([{ name: "other" }, { name: "forecast", renamedFrom: ["get_forecast"] }]);
  await generate(project, back);
  assert.match(
    project.text("src/tools/forecast.ts"),
    "export const forecast: ToolHandler<'forecast'>",
  );
  assert.not.ok(project.has("src/removed/tools/get-forecast.ts"));
});

test("where a removed handler and a rename claim one file, the rename wins and nothing is lost", async () => {
  const project = await generated(manifest([{ name: "get_user" }, { name: "a" }]));
  project.edit("src/tools/get-user.ts", (text) => `${text}// removed`);
  project.edit("src/tools/a.ts", (text) => `${text}// renamed`);
  await generate(project, manifest([{ name: "get-user", renamedFrom: ["a"] }]));
  assert.match(project.text("src/tools/get-user.ts"), /ToolHandler<"get-user">[^]*\/\/ renamed$/);
  assert.match(project.text("src/removed/tools/get-user.ts"), /\/\/ removed$/);
  // An item is its name: both handlers change places again.
  await generate(project, manifest([{ name: "get_user" }]));
  assert.match(project.text("src/tools/get-user.ts"), /ToolHandler<"get_user">[^]*\/\/ removed$/);
  assert.match(project.text("src/removed/tools/get-user.2.ts"), /\/\/ renamed$/);
});

test("a person's own files follow a renamed handler, by their imports alone", async () => {
  const project = await generated(one);
  project.write(
    "src/cache.ts",
    "\timport { getForecast } from './tools/get-forecast.js'\r\nvoid getForecast",
  );
  project.write("src/broken.ts", "import { getForecast } from './tools/get-forecast.js'; {{");
  const renamed = manifest([{ name: "forecast", renamedFrom: ["get_forecast"] }]);
  assert.equal(codes(await generate(project, renamed)), ["MW4012"]);
  assert.is(
    project.text("src/cache.ts"),
    "\timport { forecast as getForecast } from './tools/forecast.js'\r\nvoid getForecast",
  );
});

test("guarantee 5: a handler that cannot be parsed is untouched and named; the others proceed", async () => {
  const project = await generated(manifest([{ name: "a" }, { name: "b" }]));
  const broken = "export const a = {{ // mine";
  project.write("src/tools/a.ts", broken);
  project.edit("src/tools/b.ts", (text) => `${text}// mine`);
  const next = manifest([
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

test("guarantee 6: a handler is where it was after its item was gone for three runs", async () => {
  const project = await generated(one);
  project.write(HANDLER, MINE);
  for (const version of ["1.0.1", "1.0.2", "1.0.3"]) {
    await generate(project, manifest([{ name: "other" }], version));
    assert.is(project.text("src/removed/tools/get-forecast.ts"), MINE);
  }
  await generate(project, one);
  assert.is(project.text(HANDLER), MINE);
});

test("guarantee 8: a schema change edits no handler that a person has touched", async () => {
  const project = await generated(one);
  project.write(HANDLER, MINE);
  const changed = await generate(
    project,
    manifest([{ name: "get_forecast", takes: ["city", "days"] }]),
  );
  assert.is(project.text(HANDLER), MINE);
  assert.ok(changed.changes.some(({ path }) => path === "src/generated/types.ts"));
});

test("a handler that lost its export gets one, once, also when the manifest did not change", async () => {
  const project = await generated(one);
  project.write(HANDLER, MINE.replace("const getForecast", "const fetchIt"));
  assert.equal(codes(await generate(project, one)), ["MW4011"]);
  assert.match(project.text(HANDLER), /\r\n\r\nexport \{ fetchIt as getForecast \};\r\n$/);
  assert.equal((await generate(project, one)).operations, []);
});

test("guarantee 17: npm version, a bumped dependency and keys in another order make no noise", async () => {
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
  const next = await generate(project, manifest([{ name: "get_forecast" }, { name: "more" }]));
  assert.equal(codes(next), []);
  assert.is(project.text("package.json"), text);
  // `npm version` and the manifest agree again: still nothing to say.
  const released = await generate(project, manifest([{ name: "get_forecast" }], "1.0.1"));
  assert.equal(codes(released), []);
  assert.is(project.text("package.json"), text);
});

test("guarantee 20: from A to B to A, every generated file is the first one", async () => {
  const a = manifest([{ name: "get_forecast" }, { name: "x", takes: [] }]);
  const b = manifest([{ name: "y", renamedFrom: ["get_forecast"], takes: ["n"] }], "2.0.0");
  const project = await generated(a);
  const first = generatedFiles(project);
  project.write(HANDLER, MINE);
  await generate(project, b);
  await generate(project, a);
  assert.equal(generatedFiles(project), first);
});

const NAMES = ["alpha", "beta_two", "gamma"];

test("guarantees 1, 3, 6: random manifests with edits in between lose no edit", async () => {
  for (let seed = 1; seed <= 24; seed++) {
    const random = randomNumbers(seed);
    const marks = new Set<string>();
    const project = new MemoryProject();
    for (let round = 0; round < 3; round++) {
      const tools = NAMES.filter(() => random(3) > 0).map((name) => ({
        name: `${name}${random(2)}`,
      }));
      const made = tools.map(({ name }) => {
        const other = name.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
        return random(2) ? { name } : { name, renamedFrom: [other] };
      });
      await generate(project, manifest(made));
      const texts = Object.values(project.snapshot("src")).join("\n");
      for (const mark of marks) assert.ok(texts.includes(mark), `seed ${seed}: ${mark}`);
      assert.equal((await generate(project, manifest(made))).operations, [], `seed ${seed}`);
      for (const path of Object.keys(project.snapshot("src")).filter((name) =>
        /^src\/tools/.test(name),
      )) {
        const mark = `// ${seed}.${round} ${path}`;
        project.edit(path, (text) => `${text.replaceAll("\n", random(2) ? "\r\n" : "\n")}${mark}`);
        marks.add(mark);
      }
    }
  }
});

test.run();
