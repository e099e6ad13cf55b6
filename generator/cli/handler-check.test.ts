import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Diagnostic } from "../model/diagnostic.js";
import type { Change } from "../model/plan.js";
import { installShared, mcpwright } from "../testing/generated-project.js";

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

test("a handler that still type-checks is not named, although its types change", async () => {
  await save(manifest("type: integer, enum: [1, 2]"));
  assert.equal(await planned(), { handlers: [], diagnostics: [] });
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

test("other modules of a person that mention a changed type are checked, too", async () => {
  await writeFile(
    join(folder, "src/limits.ts"),
    'import type { ForecastInput, ToolInput } from "./generated/types.js";\n' +
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
  assert.equal(await places(), ["MW6002 src/limits.ts:1", "MW6002 src/limits.ts:4"]);
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

test("the check uses the configuration that the project has after the plan", async () => {
  const path = join(folder, "tsconfig.json");
  const text = await readFile(path, "utf8");
  const loose = text.replace('"strict": true', '"strict": false');
  assert.is.not(loose, text);
  await writeFile(path, loose);
  await save(manifest("type: [integer, 'null']"));
  assert.equal((await planned()).handlers, [], "null fits everything without strict");
  await writeFile(path, text);
  assert.is((await planned()).handlers.length, 1);
});

test.run();
