import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Project, ts } from "ts-morph";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { mcpwright } from "../../testing/harness/projects/generated-project.js";
import { installShared } from "../../testing/harness/projects/installed-packages.js";
import { shortOrLong } from "../../testing/harness/runner/test-length.js";
import { readConfiguration } from "./project-configuration.js";

const folder = await mkdtemp(join(tmpdir(), "mcpwright-configuration-"));
test.after(() => rm(folder, { recursive: true }));
await writeFile(join(folder, "module.ts"), 'import "any/thing";\nexport const one: number = 1;\n');

/** Members of a tsconfig.json on a line of their own, with the column at which a wrong value stands. */
const AT_THE_TOP: readonly (readonly [column: number, member: string])[] = [
  [22, '"compilerOptions": 1'],
  [1, '"compilerOptions": { "paths": { "*": [null] } }, "compilerOptions": {}'],
  [22, '"compilerOptions": "strict"'],
  [14, '"extends": 1'],
  [14, '"extends": null'],
  [14, '"extends": {}'],
  [15, '"extends": [1]'],
  [14, '"extends": ""'],
  [1, '"extends": "./missing.json"'],
  [17, '"references": 1'],
  [17, '"references": {}'],
  [18, '"references": [1]'],
  [17, '"references": [null]'],
  [14, '"include": 1'],
  [14, '"include": {}'],
  [15, '"include": [1]'],
  [14, '"exclude": "dist"'],
  [15, '"exclude": [{}]'],
  [12, '"files": 1'],
  [13, '"files": [1]'],
  [19, '"watchOptions": 1'],
  [20, '"compileOnSave": 1'],
];

const IN_OPTIONS: readonly (readonly [column: number, member: string])[] = [
  [22, '"paths": { "*": [null] }'],
  [21, '"paths": { "*": null }'],
  [22, '"paths": { "*": [1] }'],
  [22, '"paths": { "*": [["a"]] }'],
  [21, '"paths": { "*": "a" }'],
  [21, '"paths": { "*": {} }'],
  [21, '"paths": { "*": [] }'],
  [14, '"paths": ["a"]'],
  [14, '"paths": 1'],
  [14, '"paths": "a"'],
  [16, '"baseUrl": {}'],
  [14, '"types": 1'],
  [14, '"types": "node"'],
  [15, '"types": [1]'],
  [19, '"typeRoots": [1]'],
  [12, '"lib": 1'],
  [12, '"lib": "es2022"'],
  [13, '"lib": [1]'],
  [15, '"target": 1'],
  [15, '"module": {}'],
  [25, '"moduleResolution": 3'],
  [15, '"strict": "yes"'],
  [16, '"rootDir": 1'],
  [18, '"rootDirs": [1]'],
  [15, '"outDir": []'],
  [16, '"plugins": 1'],
  [17, '"plugins": [1]'],
  [25, '"customConditions": 1'],
  [24, '"moduleSuffixes": [1]'],
];

/** The places of the findings in a tsconfig.json: `file line:column`. The compiler is then run with what is left. */
function placesIn(text: string): string[] {
  const configuration = readConfiguration(ts, folder, text);
  assert.ok(configuration, text);
  const { options, faulty } = configuration;
  const compilerOptions = { ...options, noLib: true };
  const project = new Project({ compilerOptions, skipAddingFilesFromTsConfig: true });
  const { compilerNode } = project.addSourceFileAtPath(join(folder, "module.ts"));
  project.getProgram().compilerObject.getSemanticDiagnostics(compilerNode);
  return [...faulty].flatMap(([file, { findings }]) =>
    findings.map(({ line, column }) => `${file} ${line}:${column}`),
  );
}

test("a value of a wrong type in a tsconfig.json is reported at its place, and the check goes on", () => {
  const inOptions = (member: string): string => `"compilerOptions": {\n    ${member}\n  }`;
  const cases = [
    ...AT_THE_TOP.map(([column, member]) => [column === 1 ? 1 : 2, column, member] as const),
    ...IN_OPTIONS.map(([column, member]) => [3, column, inOptions(member)] as const),
  ];
  for (const [line, column, member] of cases) {
    const places = placesIn(`{\n  ${member}\n}\n`);
    assert.equal(places, [`tsconfig.json ${line}:${column}`], member);
  }
});

test("settings that the compiler ignores, or that another version may know, are not reported", () => {
  for (const members of [
    '"compilerOptions": null',
    '"compilerOptions": { "types": [null], "lib": [null], "strict": null }',
    '"compilerOptions": { "optionOfTheFuture": 1, "target": "es2099", "lib": ["es2099"] }',
    '"include": null, "files": null, "optionOfTheFuture": 1',
  ]) {
    assert.equal(placesIn(`{ ${members} }`), [], members);
  }
  for (const text of ["", "[]", "{", '{"a":'.repeat(100_000) + "1" + "}".repeat(100_000)]) {
    assert.is(readConfiguration(ts, folder, text), undefined, text.slice(0, 20));
  }
});

test("a wrong value in what a tsconfig.json extends is reported there", async () => {
  const nested = '{"a":'.repeat(100_000) + "1" + "}".repeat(100_000);
  for (const [text, place] of [
    ['{\n  "compilerOptions": {\n    "lib": 1\n  }\n}\n', "base.json 3:12"],
    ['{\n  "extends": 1\n}\n', "base.json 2:14"],
    ['{\n  "compilerOptions": {\n    "paths": { "*": [null] }\n  }\n}\n', "base.json 3:22"],
    [nested, "tsconfig.json 2:14"],
  ] as const) {
    await writeFile(join(folder, "base.json"), text);
    assert.equal(placesIn('{\n  "extends": "./base.json"\n}\n'), [place], place);
  }
});

test("plan reports such a value as a diagnostic", async () => {
  const manifest = (type: string): string => `name: demo
version: 1.0.0
tools:
  - name: forecast
    description: Daily forecast.
    inputSchema:
      type: object
      properties: { days: { description: D, type: ${type} } }
      required: [days]
      additionalProperties: false
`;
  const project = join(folder, "project");
  await mcpwright(folder, "init", "project", "--only-manifest");
  await writeFile(join(project, "mcp.yaml"), manifest("integer"));
  await mcpwright(project, "generate");
  await installShared(project);
  await writeFile(
    join(project, "src/tools/forecast.ts"),
    'import type { ToolHandler } from "../generated/index.js";\n\nexport const forecast: ToolHandler<"forecast"> = ({ days }) => String(days + 1);\n',
  );
  await writeFile(join(project, "mcp.yaml"), manifest("boolean"));
  for (const value of shortOrLong(['{ "*": [null] }'], ['{ "*": [null] }', '{ "*": null }'])) {
    const text = `{\n  "extends": "@mcpwright/runtime/tsconfig.json",\n  "compilerOptions": { "paths": ${value} }\n}\n`;
    await writeFile(join(project, "tsconfig.json"), text);
    const { err, status } = await mcpwright(project, "plan");
    assert.is(status, 2, err);
    assert.match(err, /tsconfig\.json:3:\d+ +warning MW6007 /);
    assert.match(err, "forecast.ts:3:");
  }
});

test.run();
