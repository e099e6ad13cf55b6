import { test } from "uvu";
import * as assert from "uvu/assert";
import { undoingSplices } from "../../testing/harness/projects/undo-splices.js";
import { applySplices } from "../../text/splice.js";
import type { EditTask, HandlerTask, ModuleMoves } from "../source-editor.js";
import { createHandlerEditor } from "./handler-editor.js";

const editor = createHandlerEditor();

const stub = `import { NotImplementedError, type ToolHandler } from "../generated/index.js";

/** Daily forecast. */
export const forecast: ToolHandler<"forecast"> = async (input, ctx) => {
  throw new NotImplementedError("src/tools/forecast.ts");
};
`;

const now: HandlerTask["now"] = { item: "tool:forecast", exportName: "forecast" };

const rename: EditTask = {
  from: "src/tools/get-forecast.ts",
  to: "src/tools/forecast.ts",
  items: [{ former: "tool:get_forecast", now: "tool:forecast" }],
  moves: new Map([
    [
      "src/tools/get-forecast",
      { to: "src/tools/forecast", exports: new Map([["getForecast", "forecast"]]) },
    ],
    [
      "src/generated/index",
      {
        to: "src/generated/index",
        exports: new Map([
          ["GetForecastInput", "ForecastInput"],
          ["GetForecastOutput", "ForecastOutput"],
        ]),
      },
    ],
  ]),
  handler: { former: { item: "tool:get_forecast", exportName: "getForecast" }, now, stub },
};

const stay: EditTask = {
  from: "src/tools/forecast.ts",
  to: "src/tools/forecast.ts",
  items: [],
  moves: new Map(),
  handler: { former: now, now, stub },
};

/** The edited text; undoing its splices must give the source. */
function edited(source: string, task: EditTask): string | undefined {
  const changes = editor.edit(source, task);
  if (changes === undefined) return undefined;
  const text = applySplices(source, changes.splices);
  assert.is(applySplices(text, undoingSplices(source, changes.splices)), source);
  return text;
}

const typed = `import type { ToolHandler } from "../generated/index.js";\n`;

/** What a rename from get_forecast to forecast does: name, before, after. */
const RENAMES: readonly (readonly [name: string, before: string, after: string])[] = [
  [
    "a constant and its type argument, a shadowing local aside",
    `${typed}export const getForecast: ToolHandler<"get_forecast"> = async (input) => {
  const forecast = 1;
  const inner = (getForecast: number) => getForecast + forecast;
  return { getForecast: inner(2), text: "get_forecast getForecast" }; // getForecast
};
`,
    `${typed}export const forecast: ToolHandler<"forecast"> = async (input) => {
  const forecast = 1;
  const inner = (getForecast: number) => getForecast + forecast;
  return { getForecast: inner(2), text: "get_forecast getForecast" }; // getForecast
};
`,
  ],
  [
    "references that are not shadowed, also as shorthand and in types",
    `export const getForecast = (n: number): number => (n > 0 ? getForecast(n - 1) : 0);
export const all = { getForecast };
export type Own = typeof getForecast;
export default getForecast;
`,
    `export const forecast = (n: number): number => (n > 0 ? forecast(n - 1) : 0);
export const all = { getForecast: forecast };
export type Own = typeof forecast;
export default forecast;
`,
  ],
  [
    "a function, and the types of its parameters",
    `import type { ToolInput as In, ToolOutput } from "../generated/index.js";
export async function getForecast(input: In<'get_forecast'>): Promise<ToolOutput<"get_forecast">> {
  return getForecast(input);
}`,
    `import type { ToolInput as In, ToolOutput } from "../generated/index.js";
export async function forecast(input: In<'forecast'>): Promise<ToolOutput<"forecast">> {
  return forecast(input);
}`,
  ],
  [
    "a class",
    `export class getForecast { static other = getForecast.name; }`,
    `export class forecast { static other = forecast.name; }`,
  ],
  [
    "the types of the item, under the names that the file has for them",
    `import type { GetForecastInput, GetForecastOutput as Out, Other } from "../generated/index.js";
export const getForecast = (input: GetForecastInput): Out => other<Other>(input);`,
    `import type { ForecastInput as GetForecastInput, ForecastOutput as Out, Other } from "../generated/index.js";
export const forecast = (input: GetForecastInput): Out => other<Other>(input);`,
  ],
  [
    "satisfies, in a namespace of types",
    `import type * as G from "../generated/index.js";
export const getForecast = (async () => "") satisfies G.ToolHandler<"get_forecast">;`,
    `import type * as G from "../generated/index.js";
export const forecast = (async () => "") satisfies G.ToolHandler<"forecast">;`,
  ],
  [
    "an inline import type",
    `export const getForecast: import("../generated/index.js").ToolHandler<"get_forecast"> = f;`,
    `export const forecast: import("../generated/index.js").ToolHandler<"forecast"> = f;`,
  ],
  [
    "a type of the same name that is not generated stays",
    `type ToolHandler<T> = T;\nexport const getForecast: ToolHandler<"get_forecast"> = 1;`,
    `type ToolHandler<T> = T;\nexport const forecast: ToolHandler<"get_forecast"> = 1;`,
  ],
  [
    "a destructured constant",
    `export const { getForecast, other } = make();`,
    `export const { getForecast: forecast, other } = make();`,
  ],
  [
    "an export list: the local constant follows",
    `const getForecast = 1;\nuse(getForecast);\nexport { getForecast, getForecast as alias };`,
    `const forecast = 1;\nuse(forecast);\nexport { forecast, forecast as alias };`,
  ],
  [
    "an alias in an export list",
    `const fetchIt = 1;\nexport { fetchIt as getForecast };`,
    `const fetchIt = 1;\nexport { fetchIt as forecast };`,
  ],
  [
    "a re-export",
    `export { getForecast } from "./shared/impl.js";\n`,
    `export { getForecast as forecast } from "./shared/impl.js";\n`,
  ],
  [
    "a re-export of an import",
    `import { getForecast } from "./impl.js";\nexport { getForecast };\n`,
    `import { getForecast } from "./impl.js";\nexport { getForecast as forecast };\n`,
  ],
  [
    "a default export under the right name",
    `export default async () => "";\nexport { default as getForecast } from "./get-forecast.js";\n`,
    `export default async () => "";\nexport { default as forecast } from "./forecast.js";\n`,
  ],
  [
    "the new name is taken: the constant keeps its own and is exported besides",
    `import { forecast } from "./lib.js";\nexport const getForecast = () => forecast();\n`,
    `import { forecast } from "./lib.js";\nexport const getForecast = () => forecast();\n\nexport { getForecast as forecast };\n`,
  ],
  [
    "a reference would be captured by a local of the new name",
    `export const getForecast = (n) => {\n  const forecast = getForecast(n);\n  return forecast;\n};\n`,
    `export const getForecast = (n) => {\n  const forecast = getForecast(n);\n  return forecast;\n};\n\nexport { getForecast as forecast };\n`,
  ],
  [
    "a global of the new name would be captured",
    `export const getForecast = () => forecast("now");`,
    `export const getForecast = () => forecast("now");\n\nexport { getForecast as forecast };\n`,
  ],
  [
    "the user renamed it already",
    `${typed}export const forecast: ToolHandler<"get_forecast"> = async () => "";\n`,
    `${typed}export const forecast: ToolHandler<"forecast"> = async () => "";\n`,
  ],
  [
    "line ends, tabs, a shebang, comments and no final newline",
    `#!/usr/bin/env -S node\r\n\texport  const\tgetForecast = /* getForecast */ 1\r\n\r\n\t// end`,
    `#!/usr/bin/env -S node\r\n\texport  const\tforecast = /* getForecast */ 1\r\n\r\n\t// end`,
  ],
];

for (const [name, before, after] of RENAMES) {
  test(`rename: ${name}`, () => assert.is(edited(before, rename), after));
}

/** What happens to a handler that lost its export `forecast`. */
const MISSING: readonly (readonly [name: string, before: string, after: string])[] = [
  ["an empty file", "", stub],
  [
    "an unrelated file with CRLF",
    `import { a } from "./a.js";\r\na();`,
    `import { a } from "./a.js";\r
import { NotImplementedError, type ToolHandler } from "../generated/index.js";\r
a();\r
\r
${stub.slice(stub.indexOf("/**")).replaceAll("\n", "\r\n")}`,
  ],
  [
    "imports that are there are not repeated, names that are taken are avoided",
    `import { type ToolHandler as H } from "../generated/index.js";\nclass NotImplementedError {}\n`,
    `import { type ToolHandler as H } from "../generated/index.js";
import { NotImplementedError as NotImplementedError2 } from "../generated/index.js";
class NotImplementedError {}

/** Daily forecast. */
export const forecast: H<"forecast"> = async (input, ctx) => {
  throw new NotImplementedError2("src/tools/forecast.ts");
};
`,
  ],
  [
    "the constant lost its export keyword",
    `const forecast = 1;\n`,
    `const forecast = 1;\n\nexport { forecast };\n`,
  ],
  [
    "the constant has another name",
    `${typed}export const fetchIt: ToolHandler<"forecast"> = f;\n`,
    `${typed}export const fetchIt: ToolHandler<"forecast"> = f;\n\nexport { fetchIt as forecast };\n`,
  ],
  [
    "a default export",
    `export default async () => "";\n`,
    `export default async () => "";\n\nexport { default as forecast } from "./forecast.js";\n`,
  ],
];

for (const [name, before, after] of MISSING) {
  test(`missing export: ${name}`, () => {
    assert.ok(editor.edit(before, stay)?.exportAdded);
    assert.is(edited(before, stay), after);
    assert.equal(editor.edit(after, stay), { splices: [], exportAdded: false }, "added once");
  });
}

test("an export is recognised in every form", () => {
  for (const source of [
    "export let forecast = 1;",
    "export async function forecast() {}",
    "export class forecast {}",
    "export const { a: [forecast] } = b;",
    "const f = 1; export { f as forecast };",
    'export { forecast } from "./elsewhere.js";',
    'export * from "./elsewhere.js";',
  ]) {
    assert.equal(editor.edit(source, stay), { splices: [], exportAdded: false }, source);
  }
});

test("an exported type with the name does not count as the handler's export", () => {
  assert.ok(editor.edit("export type forecast = 1;", stay)?.exportAdded);
});

test("guarantee 5: a file that cannot be parsed is not edited", () => {
  const tooDeep = `export const getForecast = ${"(".repeat(100_000)}1${")".repeat(100_000)};`;
  const conflict = "<<<<<<< HEAD\n=======\n>>>>>>> b\n";
  const problems = {
    "export const getForecast = {": { message: "'}' expected", at: { start: 28, end: 28 } },
    [conflict]: { message: "Merge conflict marker encountered", at: { start: 0, end: 7 } },
    [tooDeep]: { message: "it is nested too deep" },
  };
  for (const [source, problem] of Object.entries(problems)) {
    assert.is(editor.edit(source, rename), undefined);
    assert.equal(editor.problemIn("src/tools/a.ts", source), problem);
  }
});

const moves: ModuleMoves = new Map([
  ["src/tools/a", { to: "src/deep/tools/b", exports: new Map([["a", "b"]]) }],
]);

/** A file that imports what moves from src/tools/a to src/deep/tools/b, and its export a to b. */
function importer(source: string, from = "src/x.ts", to = from): string | undefined {
  return edited(source, { from, to, moves, items: [] });
}

test("imports of a moved file are changed to its new path, in every form", () => {
  for (const [before, after] of [
    [`import { a } from "./tools/a.js";`, `import { b as a } from "./deep/tools/b.js";`],
    [
      `import { type x, a as c } from './tools/a';`,
      `import { type x, b as c } from './deep/tools/b';`,
    ],
    [`export { a, z } from "./tools/a.ts";`, `export { b as a, z } from "./deep/tools/b.ts";`],
    [`export * from "./tools/a.js";`, `export * from "./deep/tools/b.js";`],
    [
      `const { a } = await import("./tools/a.js");`,
      `const { a } = await import("./deep/tools/b.js");`,
    ],
    [`import "./tools/a.js";`, `import "./deep/tools/b.js";`],
    [`type A = import("./tools/a.js").A;`, `type A = import("./deep/tools/b.js").A;`],
    [`import m = require("./tools/a.js");`, `import m = require("./deep/tools/b.js");`],
  ] as const) {
    assert.is(importer(`// a\r\n${before} use(a);\r\n`), `// a\r\n${after} use(a);\r\n`);
  }
});

test("an alias is removed from an import or export when the new name equals it", () => {
  for (const [before, after] of [
    [`import { a as b } from "./tools/a.js";`, `import { b } from "./deep/tools/b.js";`],
    [
      `import { type a as b, a as c } from "./tools/a.js";`,
      `import { type b, b as c } from "./deep/tools/b.js";`,
    ],
    [
      `import { a /* was b */ as b } from "./tools/a.js";`,
      `import { b /* was b */ as b } from "./deep/tools/b.js";`,
    ],
    [
      `export { a as b, z as y } from "./tools/a.js";`,
      `export { b, z as y } from "./deep/tools/b.js";`,
    ],
    [
      `export { a as default } from "./tools/a.js";`,
      `export { b as default } from "./deep/tools/b.js";`,
    ],
  ] as const) {
    assert.is(importer(before), after);
  }
});

test("a file beside the handlers names a renamed item and its types as before", () => {
  const { moves, items } = rename;
  const task = { from: "src/weather.ts", to: "src/weather.ts", moves, items };
  assert.is(
    edited(
      `import type { GetForecastInput, ToolInput, ToolName } from "./generated/index.js";
type In = ToolInput<"get_forecast"> | ToolInput<"other"> | GetForecastInput;
const name: ToolName = "get_forecast";
`,
      task,
    ),
    `import type { ForecastInput as GetForecastInput, ToolInput, ToolName } from "./generated/index.js";
type In = ToolInput<"forecast"> | ToolInput<"other"> | GetForecastInput;
const name: ToolName = "get_forecast";
`,
  );
});

test("types of the same name that are not the project's are left alone", () => {
  const { moves, items } = rename;
  const task = { from: "src/weather.ts", to: "src/weather.ts", moves, items };
  for (const source of [
    `import type { ToolInput } from "other-server";\ntype In = ToolInput<"get_forecast">;\n`,
    `import type { ToolInput } from "../../other/src/generated/index.ts";\ntype In = ToolInput<"get_forecast">;\n`,
    `import type * as own from "other-server";\ntype In = own.ToolInput<"get_forecast">;\n`,
    `import type * as own from "./own.ts";\ntype In = own.ns.ToolInput<"get_forecast">;\n`,
    `type In = import("other-server").ToolInput<"get_forecast">;\n`,
    `import type { ToolInput } from "./generated/index.ts";
function f() {
  type ToolInput<N extends string> = { own: N };
  return null as unknown as ToolInput<"get_forecast">;
}
`,
  ]) {
    assert.is(edited(source, task), source);
  }
  const named = `import type { ToolInput } from "#types";\ntype In = ToolInput<"get_forecast">;\n`;
  assert.match(edited(named, task) ?? "", 'ToolInput<"forecast">');
});

test("both names of a specifier can change in one run", () => {
  const task: EditTask = {
    ...rename,
    moves: new Map([
      ["src/tools/a", { to: "src/tools/b", exports: new Map([["a", "getForecast"]]) }],
    ]),
  };
  assert.is(
    edited(`export { a as getForecast } from "./a.js";`, task),
    `export { getForecast as forecast } from "./b.js";`,
  );
});

test("a rename there and back leaves imports, exports and re-exports as they were", () => {
  const back: EditTask = {
    from: rename.to,
    to: rename.from,
    items: [],
    moves: new Map([
      [
        "src/tools/forecast",
        { to: "src/tools/get-forecast", exports: new Map([["forecast", "getForecast"]]) },
      ],
    ]),
    handler: {
      former: now,
      now: { item: "tool:get_forecast", exportName: "getForecast" },
      stub,
    },
  };
  for (const source of [
    `import { getForecast } from "./get-forecast.js";\ngetForecast();\n`,
    `export { getForecast } from "./get-forecast.js";\n`,
  ]) {
    const [there, andBack] = [rename, back].map(({ moves }) => ({
      from: "src/tools/x.ts",
      to: "src/tools/x.ts",
      items: [],
      moves,
    }));
    assert.ok(there && andBack);
    assert.is(edited(edited(source, there) ?? "", andBack), source);
  }
  for (const source of [
    `export { getForecast } from "./impl.js";\n`,
    `import { getForecast } from "./impl.js";\nexport { getForecast };\n`,
    `const getForecast = 1;\nexport { getForecast };\n`,
    `const getForecast = 1;\nexport { getForecast, getForecast as alias };\n`,
    `const make = (forecast) => forecast;\nconst getForecast = make;\nexport { getForecast };\n`,
    `function forecast() {}\nconst getForecast = forecast;\nexport { getForecast };\n`,
  ]) {
    assert.is(edited(edited(source, rename) ?? "", back), source);
  }
});

test("imports of other modules and similar texts are not changed", () => {
  const source = `import { a } from "a"; import b from "./tools/a-b.js"; const t = "./tools/a.js";`;
  assert.is(importer(source), source);
  assert.is(importer("import { broken from './b.js'"), "import { broken from './b.js'");
});

test("the relative imports of a file that moves to another folder are adapted", () => {
  const source = `import { a } from "./a.js";\nimport x from "../generated/index.js";\nimport y from "zod";\n`;
  assert.is(
    importer(source, "src/tools/c.ts", "src/deep/tools/c.ts"),
    `import { b as a } from "./b.js";\nimport x from "../../generated/index.js";\nimport y from "zod";\n`,
  );
});

test("names with quotes and letters of all kinds are written as literals", () => {
  const handler = {
    former: { item: "prompt:old" as const, exportName: "old" },
    now: { item: 'prompt:say "é\u2028' as const, exportName: "say" },
    stub,
  };
  const source = `import type { PromptHandler } from "x";\nexport const old: PromptHandler<'old'> = 1;`;
  assert.match(
    edited(source, { ...rename, handler }) ?? "",
    'export const say: PromptHandler<"say \\"é\\u2028"> = 1;',
  );
});

test.run();
