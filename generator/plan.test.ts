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
} from "./testing/harness/projects/emitted-project.js";

/** Regeneration with the real emitter beyond the guarantees, which are in `testing/scenarios/regeneration/guarantees-*.test.ts`. */

test("a chain of renames gives the same project in one run and in several", async () => {
  for (const generations of [
    [
      ["b", ["a"]],
      ["c", ["b", "a"]],
      ["d", ["c"]],
    ],
    [["d", ["c", "b", "a"]]],
  ] as const) {
    const project = await generated(toolManifest([{ name: "a" }]));
    project.edit("src/tools/a.ts", (text) => `${text}// mine`);
    for (const [name, renamedFrom] of generations) {
      assert.equal(codes(await generate(project, toolManifest([{ name, renamedFrom }]))), []);
    }
    assert.match(project.text("src/tools/d.ts"), /export const d: ToolHandler<"d">[^]*\/\/ mine$/);
    assert.equal(Object.keys(project.snapshot("src/tools")), ["src/tools/d.ts"]);
  }
});

test("code that completes or lists is renamed and removed with its item", async () => {
  const manifest = (prompt: object, template: object): string =>
    JSON.stringify({
      name: "demo",
      version: "1.0.0",
      prompts: [{ description: "d", arguments: [{ name: "city", complete: "code" }], ...prompt }],
      resourceTemplates: [{ uriTemplate: "x://{city}", ...template }],
    });
  const byCode = { complete: { city: "code" }, list: "code" };
  const messages = [{ role: "user", content: { type: "text", text: "Hello" } }];
  const project = await generated(manifest({ name: "trip", messages }, { name: "now", ...byCode }));
  const files = ["prompts/trip.complete", "resources/now.complete", "resources/now.list"];
  for (const file of files) project.edit(`src/${file}.ts`, (text) => `${text}// mine`);
  const renamed = manifest(
    { name: "journey", renamedFrom: "trip", messages },
    { name: "today", renamedFrom: "now", ...byCode },
  );
  assert.equal(codes(await generate(project, renamed)), []);
  for (const [file, text] of [
    ["prompts/journey.complete", 'journeyCompletion: PromptCompletion<"journey">'],
    ["resources/today.complete", 'todayCompletion: ResourceTemplateCompletion<"today">'],
    ["resources/today.list", 'todayInstances: ResourceTemplateList<"today">'],
  ] as const) {
    assert.match(project.text(`src/${file}.ts`), text);
    assert.match(project.text(`src/${file}.ts`), /\/\/ mine$/);
  }
  await generate(project, manifest({ name: "journey", messages }, { name: "today" }));
  assert.match(project.text("src/removed/resources/today.list.ts"), /\/\/ mine$/);
});

test("the reason why a handler is removed is what replaces it, or that no item needs it", async () => {
  const upstreams = { api: { baseUrl: "https://api.example" } };
  const manifest = (tool: object, ...others: readonly object[]): string => {
    const tools = [{ name: "find", description: "d", ...tool }, ...others];
    return JSON.stringify({ name: "demo", version: "1.0.0", upstreams, tools });
  };
  const other = { name: "other", description: "d" };
  const project = await generated(manifest({}, other));
  project.edit("src/tools/find.ts", (text) => `${text}// mine`);
  project.edit("src/tools/other.ts", (text) => `${text}// mine`);
  const http = { upstream: "api", path: "/" };
  const { changes } = await generate(project, manifest({ http }));
  const reasons = changes.map(({ from, path, reason }) => [from ?? path, reason]);
  const untouched = "nobody edited it, and";
  assert.equal(
    reasons.filter(([path]) => /^(?:src|test)\/tools\//.test(path ?? "")),
    [
      ["src/tools/find.ts", "the body of its item now says what it did"],
      ["src/tools/other.ts", "no item needs it any more"],
      [
        "test/tools/find.test.ts",
        `${untouched} the body of its item now says what the handler did`,
      ],
      ["test/tools/other.test.ts", `${untouched} no item needs it any more`],
    ],
  );
  const content = [{ type: "text", text: "found" }];
  const answered = await generate(await generated(manifest({})), manifest({ content }));
  const stub = answered.changes.find(({ path }) => path === "src/tools/find.ts");
  assert.is(stub?.reason, `${untouched} the manifest now has the answer of its item`);
});

test("generated code that completes or lists becomes the person's code, and is moved away when the manifest replaces it", async () => {
  const found = (city: unknown, list: unknown, arm: unknown): string =>
    JSON.stringify({
      name: "demo",
      version: "1.0.0",
      env: { DB: { required: true } },
      upstreams: { api: { baseUrl: "https://api.example" } },
      databases: { shop: { type: "postgres", url: { env: "DB" } } },
      prompts: [
        {
          name: "trip",
          description: "d",
          arguments: [
            { name: "city", complete: city },
            { name: "arm", complete: arm },
          ],
          messages: [{ role: "user", content: { type: "text", text: "{{city}} {{arm}}" } }],
        },
      ],
      resourceTemplates: [
        {
          name: "now",
          description: "d",
          uriTemplate: "x://{id}",
          ...(list !== undefined && { list }),
        },
      ],
    });
  const cities = { sql: { database: "shop", query: "select name from cities where name ~ :city" } };
  const arms = { sql: { database: "shop", query: "select :arm || :city" } };
  const instances = { http: { upstream: "api", path: "/all" } };
  const project = await generated(found(cities, instances, arms));
  const formerList = project.text("src/generated/bodies/resources/now.list.ts");
  assert.not.ok(project.has("src/resources/now.list.ts"));

  await generate(project, found("code", "code", "code"));
  const list = "src/resources/now.list.ts";
  const ofPerson = (text: string): string =>
    text.replace(/^\/\/.*\n\n/, "").replace("../../index.ts", "../generated/index.ts");
  assert.is(project.text(list), ofPerson(formerList));
  const completion = project.text("src/prompts/trip.complete.ts");
  assert.match(completion, 'tripCompletion: PromptCompletion<"trip"> = {');
  assert.match(completion, "city: async ({ value: city }, ctx) => {");
  assert.match(completion, "arm: async ({ value: arm, given: { city } }, ctx) => {");
  assert.not.match(completion, "NotImplementedError");
  assert.equal((await generate(project, found("code", "code", "code"))).operations, []);
  assert.is(project.text(list), ofPerson(formerList));

  await generate(project, found("code", instances, ["left", "right"]));
  assert.is(project.text("src/removed/resources/now.list.ts"), ofPerson(formerList));
  assert.is(project.text("src/prompts/trip.complete.ts"), completion);
  await generate(project, found(cities, "code", arms));
  assert.is(project.text("src/removed/prompts/trip.complete.ts"), completion);
  assert.is(project.text(list), ofPerson(formerList), "it comes back");
});

test("a removed handler comes back under the new name of its item", async () => {
  const project = await generated(ONE_TOOL);
  project.write(HANDLER, MINE);
  await generate(project, toolManifest([{ name: "other" }]));
  assert.is(project.text("src/removed/tools/get-forecast.ts"), MINE);
  const back = toolManifest([
    { name: "other" },
    { name: "forecast", renamedFrom: ["get_forecast"] },
  ]);
  await generate(project, back);
  assert.match(
    project.text("src/tools/forecast.ts"),
    "export const forecast: ToolHandler<'forecast'>",
  );
  assert.not.ok(project.has("src/removed/tools/get-forecast.ts"));
});

test("if a removed handler and a renamed one need the same path, the renamed one gets it and nothing is lost", async () => {
  const project = await generated(toolManifest([{ name: "get_user" }, { name: "a" }]));
  project.edit("src/tools/get-user.ts", (text) => `${text}// removed`);
  project.edit("src/tools/a.ts", (text) => `${text}// renamed`);
  await generate(project, toolManifest([{ name: "get-user", renamedFrom: ["a"] }]));
  assert.match(project.text("src/tools/get-user.ts"), /ToolHandler<"get-user">[^]*\/\/ renamed$/);
  assert.match(project.text("src/removed/tools/get-user.ts"), /\/\/ removed$/);
  // An item is its name: both handlers change places again.
  await generate(project, toolManifest([{ name: "get_user" }]));
  assert.match(project.text("src/tools/get-user.ts"), /ToolHandler<"get_user">[^]*\/\/ removed$/);
  assert.match(project.text("src/removed/tools/get-user.2.ts"), /\/\/ renamed$/);
});

test("in a person's own files, only the imports of a renamed handler are changed", async () => {
  const project = await generated(ONE_TOOL);
  project.write(
    "src/cache.ts",
    "\timport { getForecast } from './tools/get-forecast.js'\r\nvoid getForecast",
  );
  const broken = "import { getForecast } from './tools/get-forecast.js';\n {";
  project.write("src/broken.ts", broken);
  const renamed = toolManifest([{ name: "forecast", renamedFrom: ["get_forecast"] }]);
  const { diagnostics, sources } = await generate(project, renamed);
  assert.equal(
    diagnostics.map(({ code, line, column }) => [code, line, column]),
    [["MW4012", 2, 3]],
  );
  assert.is(sources?.get("src/broken.ts"), broken);
  assert.is(
    project.text("src/cache.ts"),
    "\timport { forecast as getForecast } from './tools/forecast.js'\r\nvoid getForecast",
  );
  await generate(project, toolManifest([{ name: "get_forecast", renamedFrom: ["forecast"] }]));
  assert.is(
    project.text("src/cache.ts"),
    "\timport { getForecast } from './tools/get-forecast.js'\r\nvoid getForecast",
  );
});

test("a handler that cannot be parsed is reported at the position of its first syntax error", async () => {
  const project = await generated(ONE_TOOL);
  const broken = "import { getForecast } from '../tools/get-forecast.js';\nconst it = {;\n";
  project.write(HANDLER, `// mine\r\n${broken}`);
  const renamed = toolManifest([{ name: "forecast", renamedFrom: ["get_forecast"] }]);
  const { diagnostics, sources } = await generate(project, renamed);
  assert.equal(
    diagnostics.map(({ code, file, line, column }) => [code, file, line, column]),
    [["MW4005", HANDLER, 3, 13]],
  );
  assert.match(diagnostics[0]?.message ?? "", "(Property assignment expected) and was left alone");
  assert.is(sources?.get(HANDLER), project.text(HANDLER));
});

test("a test that cannot be parsed is reported only if its tool is renamed", async () => {
  const project = await generated(toolManifest([{ name: "a" }, { name: "b" }]));
  const test = "test/tools/a.test.ts";
  project.edit(test, (text) => `${text}const it = {;`);
  const changed = toolManifest([{ name: "a", takes: ["town"] }, { name: "b" }]);
  assert.equal(codes(await generate(project, changed)), []);
  const other = toolManifest([{ name: "a" }, { name: "c", renamedFrom: ["b"] }]);
  assert.equal(codes(await generate(project, other)), []);
  const { diagnostics } = await generate(
    project,
    toolManifest([{ name: "x", renamedFrom: ["a"] }, { name: "c" }]),
  );
  const lines = project.text(test).split("\n").length;
  assert.equal(
    diagnostics.map(({ code, file, line }) => [code, file, line]),
    [["MW4005", test, lines]],
  );
});

test("a handler that lost its export gets it once, even if the manifest did not change", async () => {
  const project = await generated(ONE_TOOL);
  project.write(HANDLER, MINE.replace("const getForecast", "const fetchIt"));
  assert.equal(codes(await generate(project, ONE_TOOL)), ["MW4011"]);
  assert.match(project.text(HANDLER), /\r\n\r\nexport \{ fetchIt as getForecast \};\r\n$/);
  assert.equal((await generate(project, ONE_TOOL)).operations, []);
});

test("a handler that cannot be parsed is reported until it is repaired, even if the manifest did not change", async () => {
  const project = await generated(ONE_TOOL);
  project.write(HANDLER, MINE);
  const before = project.snapshot();
  for (const [broken, line] of [
    [MINE.replace("({ city })", "({ city )"), 3],
    [MINE.replace("return forecast", "return ("), 5],
    [`<<<<<<< ours\n${MINE}=======\n${MINE}>>>>>>> theirs\n`, 1],
  ] as const) {
    project.write(HANDLER, broken);
    for (let run = 0; run < 2; run++) {
      const { diagnostics, operations } = await generate(project, ONE_TOOL);
      assert.equal(
        diagnostics.map(({ code, file, line: found }) => [code, file, found]),
        [["MW4005", HANDLER, line]],
      );
      assert.equal(operations, []);
    }
    project.write(HANDLER, MINE);
    const { changes, diagnostics } = await generate(project, ONE_TOOL);
    assert.equal([changes, diagnostics], [[], []]);
  }
  assert.equal(project.snapshot(), before);
});

test("an export that exists only in a comment is added, even if the manifest did not change", async () => {
  const project = await generated(ONE_TOOL);
  project.edit(HANDLER, (text) => text.replace(/^export /m, "// export const getForecast\n"));
  assert.equal(codes(await generate(project, ONE_TOOL)), ["MW4011"]);
  assert.match(project.text(HANDLER), /\nexport \{ getForecast \};\n$/);
  assert.equal((await generate(project, ONE_TOOL)).operations, []);
});

test.run();
