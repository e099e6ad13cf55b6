import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { checkPlannedModules } from "./type-check/planned-modules.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { Change } from "../model/plan.js";
import { mcpwright } from "../testing/harness/projects/generated-project.js";
import { installShared } from "../testing/harness/projects/installed-packages.js";
import { onWindows, testUnless } from "../testing/harness/runner/skipped-test.js";

/** Tests how `plan` type-checks edited handlers if the project's dependencies are installed. */
const folder = await mkdtemp(join(tmpdir(), "mcpwright-handler-check-"));
test.after(() => rm(folder, { recursive: true }));

function manifest(days: string, name = "forecast"): string {
  return `name: demo
version: 1.0.0
tools:
  - name: ${name}
    description: Daily forecast.
    inputSchema:
      type: object
      properties: { days: { description: D, ${days} } }
      required: [days]
      additionalProperties: false
    outputSchema: { type: object, properties: { high: { type: number } }, required: [high] }
`;
}

const handler = `import type { ToolHandler } from "../generated/index.js";

export const forecast: ToolHandler<"forecast"> = ({ days }) => {
  const count: number = days;
  return { high: count };
};
`;

const save = (text: string): Promise<void> => writeFile(join(folder, "mcp.yaml"), text);
await save(manifest("type: integer"));
await mcpwright(folder, "generate");
await installShared(folder);
await writeFile(join(folder, "src/tools/forecast.ts"), handler);

interface Found {
  readonly handlers: readonly Change[];
  readonly diagnostics: readonly Diagnostic[];
}

async function planned(): Promise<Found> {
  const { out } = await mcpwright(folder, "plan", "--json");
  const { changes, diagnostics } = JSON.parse(out) as { changes: Change[] } & Found;
  const handlers = changes.filter(({ op, owner }) => op === "keep" && owner === "handler");
  return { handlers, diagnostics };
}

test("a handler that will not type-check is named with its line and the compiler's reason", async () => {
  await save(manifest("type: string"));
  const { handlers, diagnostics } = await planned();
  const message = "Type 'string' is not assignable to type 'number'.";
  assert.equal(handlers, [
    {
      op: "keep",
      path: "src/tools/forecast.ts",
      owner: "handler",
      reason: `will not type-check: 4:9 ${message}`,
    },
  ]);
  assert.equal(
    diagnostics.map(({ code, severity, file, line, column, endColumn }) => [
      ...[code, severity, file],
      ...[line, column, endColumn],
    ]),
    [["MW6002", "warning", "src/tools/forecast.ts", 4, 9, 14]],
  );
  const { out, err, status } = await mcpwright(folder, "plan");
  assert.is(status, 2);
  assert.match(out, `\n! src/tools/forecast.ts  (will not type-check: 4:9 ${message})\n`);
  assert.match(err, "src/tools/forecast.ts:4:9  warning MW6002  will not type-check: ");
  assert.match(err, " → 4 |   const count: number = days;\n     |         ^^^^^\n");
  assert.is(await readFile(join(folder, "src/tools/forecast.ts"), "utf8"), handler);
});

test("of a handler that returns a result as the SDK's tools do, the hint says how a whole result is made", async () => {
  const returned = '{ content: [{ type: "text", text: "mild" }] }';
  await writeFile(
    join(folder, "src/tools/forecast.ts"),
    handler.replace("{ high: count }", returned),
  );
  await save(manifest("type: integer, enum: [1, 2]"));
  const { diagnostics } = await planned();
  await writeFile(join(folder, "src/tools/forecast.ts"), handler);
  assert.equal(
    diagnostics.map(({ code, line }) => [code, line]),
    [["MW6002", 3]],
  );
  assert.match(diagnostics[0]?.hint ?? "", "`result({ content, … })`");
});

test("a handler that still type-checks is not named, although its types change", async () => {
  await save(manifest("type: integer, enum: [1, 2]"));
  assert.equal(await planned(), { handlers: [], diagnostics: [] });
});

test("a handler that may return what its outputSchema refuses now is named, since the compiler accepts it", async () => {
  const output = (properties: string, required: string): string =>
    manifest("type: integer, enum: [1, 2]").replace(
      /outputSchema.*/,
      `outputSchema: { type: object, properties: { ${properties} }, ${required}, additionalProperties: false }`,
    );
  const high = "high: { type: number }";
  await save(output(`${high}, low: { type: number }`, "required: [high]"));
  await mcpwright(folder, "generate");
  const path = join(folder, "src/tools/forecast.ts");
  await writeFile(path, handler.replace("high: count", "high: count, low: 1"));
  await save(output(high, "required: [high]"));
  const { handlers, diagnostics } = await planned();
  assert.equal(
    handlers.map(({ reason }) => reason),
    ['type-checks; calls fail if it still returns "low"'],
  );
  assert.equal(diagnostics, []);
  await writeFile(path, handler);
  assert.equal((await planned()).handlers, []);
  await save(manifest("type: integer, enum: [1, 2]"));
  await mcpwright(folder, "generate");
});

test("a renamed handler is checked at its new path and with its new name", async () => {
  await save(manifest("type: integer, enum: [1, 2]", "outlook\n    renamedFrom: forecast"));
  assert.equal(await planned(), { handlers: [], diagnostics: [] });
  await save(manifest("type: boolean", "outlook\n    renamedFrom: forecast"));
  const { handlers, diagnostics } = await planned();
  assert.equal(
    handlers.map(({ path }) => path),
    ["src/tools/outlook.ts"],
  );
  assert.equal(
    diagnostics.map(({ file, line }) => [file, line]),
    [["src/tools/outlook.ts", 4]],
  );
});

test("packages that are not installed are named, and no error of the manifest", async () => {
  await save(manifest("type: integer"));
  await mcpwright(folder, "generate");
  const packageJson = await readFile(join(folder, "package.json"), "utf8");
  const withMore = packageJson.replace(
    '"uvu"',
    '"@acme/days": "^1.0.0", "not-there": "2.0.0",\n    "uvu"',
  );
  await writeFile(join(folder, "package.json"), withMore);
  const imports =
    'import { most } from "@acme/days/limits.js";\nimport "not-there";\nimport "unnamed";\n';
  const path = join(folder, "src/tools/forecast.ts");
  await writeFile(path, `${imports}${handler.replace("days;", "Math.min(days, most);")}`);
  await save(manifest("type: integer, enum: [1, 2]"));
  const { diagnostics } = await planned();
  assert.equal(
    diagnostics.map(({ code, line, message }) => `${code} ${line} ${message.slice(0, 60)}`),
    ["MW6002 3 will not type-check: Cannot find module or type declarations"],
  );
  const advice = "run `npm install`: @acme/days ^1.0.0, not-there 2.0.0 are missing.";
  assert.match((await mcpwright(folder, "plan")).out, `Then ${advice}`);
  assert.match((await mcpwright(folder, "generate")).out, `Now ${advice}`);
  assert.match((await mcpwright(folder, "generate")).out, `Now ${advice}`);
  await writeFile(join(folder, "package.json"), packageJson);
  assert.not.match((await mcpwright(folder, "generate")).out, "npm install");
  await writeFile(path, handler);
});

test("a runtime of another version makes no errors of handlers, and is named", async () => {
  const packageJson = await readFile(join(folder, "package.json"), "utf8");
  const wanted = /(file:vendor\/mcpwright-runtime-)([^"]+)(\.tgz)/;
  const [, , version] = wanted.exec(packageJson) ?? [];
  await writeFile(join(folder, "package.json"), packageJson.replace(wanted, "$10.0.1$3"));
  await save(manifest("type: string"));
  const { handlers, diagnostics } = await planned();
  assert.equal(diagnostics, []);
  assert.match(handlers[0]?.reason ?? "", "may no longer type-check");
  const { out } = await mcpwright(folder, "plan");
  assert.match(out, `Then run \`npm install\`: @mcpwright/runtime is ${version}, not 0.0.1.`);
  await writeFile(join(folder, "package.json"), packageJson);
  assert.is((await planned()).diagnostics.length, 1);
  await save(manifest("type: integer, enum: [1, 2]"));
});

test("other modules of a person that mention a changed type are checked, too", async () => {
  await writeFile(
    join(folder, "src/limits.ts"),
    'import type { ForecastInput, ToolInput } from "./generated/index.js";\n' +
      'import { forecast } from "./tools/forecast.js";\n' +
      'export const most: ForecastInput["days"] = 2;\n' +
      'export const least: ToolInput<"forecast">["days"] = 1;\n' +
      "export const it = forecast;\n",
  );
  const places = async (): Promise<string[]> => {
    const { diagnostics } = await planned();
    return [...new Set(diagnostics.map(({ code, file, line }) => `${code} ${file}:${line}`))];
  };
  await save(manifest("type: integer, enum: [1, 2]"));
  assert.equal(await places(), []);
  await save(manifest("type: integer, enum: [1, 3]"));
  assert.equal(await places(), ["MW6002 src/limits.ts:3"]);
  await save(manifest("type: integer", "outlook\n    renamedFrom: forecast"));
  assert.equal(await places(), [], "it follows a rename");
  await save(manifest("type: integer", "outlook"));
  assert.equal(await places(), [
    "MW6002 src/limits.ts:1",
    "MW6002 src/limits.ts:2",
    "MW6002 src/limits.ts:4",
  ]);
  const { out } = await mcpwright(folder, "generate");
  assert.match(out, "still fit:\n! src/limits.ts\n");
  assert.not.match(out, "! src/tools/forecast.ts");
  assert.not.match((await mcpwright(folder, "generate")).out, "src/limits.ts");
  await rm(join(folder, "src/limits.ts"));
  await save(manifest("type: integer, enum: [1, 2]", "forecast\n    renamedFrom: outlook"));
  await mcpwright(folder, "generate");
  await writeFile(join(folder, "src/tools/forecast.ts"), handler);
});

test("a test that calls a handler is checked when the handler's types change, and a module between them, too", async () => {
  await mkdir(join(folder, "test/unit"), { recursive: true });
  const calls = [
    ["src/facade.ts", 'export { forecast } from "./tools/forecast.js";\n'],
    ["test/unit/forecast.test.ts", callOfHandler("../../src/tools/forecast.js")],
    ["test/facade.test.ts", callOfHandler("../src/facade.js")],
  ] as const;
  for (const [path, text] of calls) await writeFile(join(folder, path), text);
  const places = async (): Promise<string[]> =>
    (await planned()).diagnostics.map(({ code, file, line }) => `${code} ${file}:${line}`);
  await save(manifest("type: integer, enum: [1, 3]"));
  assert.equal((await places()).sort(), [
    "MW6002 test/facade.test.ts:3",
    "MW6002 test/unit/forecast.test.ts:3",
  ]);
  await save(manifest("type: integer, enum: [1, 2, 3]"));
  assert.equal(await places(), []);
  for (const [path] of calls) await rm(join(folder, path));
});

function callOfHandler(module: string): string {
  return (
    `import { forecast } from "${module}";\n` +
    "export const call = (context: Parameters<typeof forecast>[1]): unknown =>\n" +
    "  forecast({ days: 2 }, context);\n"
  );
}

test("a handler that comes back is checked, and so is a module that imports one that goes", async () => {
  const uses = 'export { forecast } from "./tools/forecast.js";\n';
  await writeFile(join(folder, "src/uses.ts"), uses);
  await writeFile(join(folder, "test/uses.ts"), uses.replace("./tools", "../src/tools"));
  const without = "name: demo\nversion: 1.0.0\n";
  const places = async (): Promise<string[]> =>
    (await planned()).diagnostics.map(({ code, file, line }) => `${code} ${file}:${line}`).sort();
  await save(without);
  assert.equal(await places(), ["MW6002 src/uses.ts:1", "MW6002 test/uses.ts:1"]);
  const gone = await mcpwright(folder, "generate");
  assert.match(gone.out, "still fit:\n! src/uses.ts\n! test/uses.ts\n");
  await save(manifest("type: string"));
  assert.equal(await places(), ["MW6002 src/tools/forecast.ts:4"]);
  const back = await mcpwright(folder, "generate");
  assert.match(back.out, "still fit:\n! src/tools/forecast.ts\n");
  for (const path of ["src/uses.ts", "test/uses.ts"]) await rm(join(folder, path));
  await save(manifest("type: integer, enum: [1, 2]"));
  await mcpwright(folder, "generate");
});

test("the check uses the configuration that the project has after the plan", async () => {
  const path = join(folder, "tsconfig.json");
  const text = await readFile(path, "utf8");
  const loose = text.replace('"rootDir"', '"strict": false,\n    "rootDir"');
  assert.is.not(loose, text);
  await save(manifest("type: [integer, 'null']"));
  assert.is((await planned()).handlers.length, 1);
  await writeFile(path, loose);
  assert.equal((await planned()).handlers, [], "null fits everything without strict");
  await writeFile(path, `${text}}`);
  assert.equal(
    (await planned()).diagnostics.map(({ code }) => code),
    ["MW4006"],
    "no handler is checked without it",
  );
  await writeFile(path, text);
});

test("a module that is no file any more when it would move does not end the check", async () => {
  await mkdir(join(folder, "src/folder.ts"));
  for (const from of ["src/gone.ts", "src/folder.ts"]) {
    const move = { kind: "move", from, path: "src/moved.ts" } as const;
    const checked = await checkPlannedModules(folder, [move], [move.path]);
    assert.equal(checked?.get(move.path), { findings: [], text: "" }, from);
  }
  await rm(join(folder, "src/folder.ts"), { recursive: true });
});

/** Replaces packages of the project by ones that write a file when they run. The others stay as they are. */
async function replacePackages(names: readonly string[], marker: string): Promise<void> {
  const packages = join(folder, "node_modules");
  const shared = await realpath(packages);
  await rm(packages);
  await mkdir(packages);
  for (const name of await readdir(shared)) {
    if (!names.includes(name)) await symlink(join(shared, name), join(packages, name));
  }
  const code = `require("node:fs").writeFileSync(${JSON.stringify(marker)}, "");\n`;
  for (const name of names) {
    await mkdir(join(packages, name, "lib"), { recursive: true });
    const about = { name, version: "9.0.0", main: "lib/tsc.js", bin: { tsc: "lib/tsc.js" } };
    await writeFile(join(packages, name, "package.json"), JSON.stringify(about));
    await writeFile(join(packages, name, "lib/tsc.js"), code);
  }
  await writeFile(join(folder, "prettier.config.cjs"), `${code}module.exports = {};\n`);
  await writeFile(join(folder, ".npmrc"), "node-options=--require ./prettier.config.cjs\n");
}

testUnless(
  onWindows,
  "plan and generate run nothing of a project, and wait for no pipe that it names",
  async () => {
    const marker = join(folder, "it-ran");
    await replacePackages(["typescript", "prettier", "ts-morph", "plugin"], marker);
    const pipes = ["base.json", "pipe.d.ts", "pipe.ts"].map((name) => join(folder, name));
    execFileSync("mkfifo", pipes);
    const path = join(folder, "tsconfig.json");
    const config = JSON.parse(await readFile(path, "utf8")) as {
      extends: string;
      compilerOptions: object;
    };
    const plugins = [{ name: "plugin", transform: "plugin" }];
    const compilerOptions = { ...config.compilerOptions, plugins, paths: { any: ["./pipe.ts"] } };
    const bases = [config.extends, "./base.json"];
    await writeFile(path, JSON.stringify({ ...config, extends: bases, compilerOptions }));
    const references =
      '/// <reference path="../../pipe.d.ts" />\n/// <reference path="/dev/zero" />\nimport "any";\n';
    await writeFile(join(folder, "src/tools/forecast.ts"), references + handler);
    await save(manifest("type: string"));
    for (const [command, status] of [
      ["plan", 2],
      ["generate", 0],
      ["check", 0],
    ] as const) {
      // In this process, which has the compiler already. What waits for a pipe ends at the runner's limit.
      const ended = await mcpwright(folder, command);
      const output = ended.out + ended.err;
      assert.is(ended.status, status, `${command}: ${output}`);
      assert.not.ok(existsSync(marker), command);
      if (command !== "plan") continue;
      assert.match(output, "Type 'string' is not assignable to type 'number'.");
    }
  },
);

test.run();
