import { appendFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { packageRoot } from "../../../text/package-root.js";
import { allEntries } from "../../../model/catalogue/index.js";
import { DevProcess, gone, isRunning } from "../../harness/clients/dev-process.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { connectHttp } from "../../harness/clients/project-clients.js";
import { ACCEPTS_ALL, installWithCompiler } from "../../harness/projects/stand-in-compiler.js";

/** `dev` over HTTP, driven as a person would: by saving files. */
const root = await mkdtemp(join(tmpdir(), "mcpwright-dev-"));
const provoked = new Set<string>();
const started: DevProcess[] = [];
test.after(async () => {
  for (const dev of started) dev.kill("SIGKILL");
  await rm(root, { recursive: true, force: true });
});

const greet = (description: string): string => `  - name: greet
    description: ${description}
    inputSchema: { type: object, properties: { who: { type: string } }, required: [who] }
`;
const manifest = (...tools: string[]): string =>
  `name: demo\nversion: 1.0.0\ntransports: [{ type: http }]\ntools:\n${tools.join("")}`;
const handler = (answer: string): string =>
  `import type { ToolHandler } from "../generated/index.js";\n\nexport const greet: ToolHandler<"greet"> = ({ who }) => ${answer};\n`;

/** Ended after the tests at the latest. */
function start(folder: string, ...words: string[]): DevProcess {
  const dev = new DevProcess(folder, ...words);
  started.push(dev);
  return dev;
}

async function newProject(name: string): Promise<string> {
  const folder = join(root, name);
  await mcpwright(root, "init", name, "--only-manifest", "--name", "demo");
  await write(folder, "mcp.yaml", manifest(greet("Greets.")));
  return folder;
}

async function write(folder: string, path: string, text: string): Promise<void> {
  await writeFile(join(folder, path), text);
}

async function toolNames(url: string): Promise<string[]> {
  const client = await connectHttp(url, "modern");
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

async function greeting(url: string): Promise<unknown> {
  const client = await connectHttp(url, "modern");
  const { content } = await client.callTool({ name: "greet", arguments: { who: "you" } });
  await client.close();
  return content;
}

test("the server restarts after a good save; after a bad save the last good one keeps running; Ctrl-C ends everything", async () => {
  const folder = await newProject("http");
  const dev = start(folder, "--", "--port", "0");
  await dev.says(/package\.json:1:1 {2}error MW6003 .* are missing/);
  await dev.says(/no server runs: waiting for a change/);
  await installShared(folder);
  const first = await dev.starts();
  assert.equal(await toolNames(first.url), ["greet"]);

  // Nothing of this is served, so that the compiler runs for what it alone finds.
  await write(folder, "src/tools/greet.ts", handler("whom"));
  await dev.says(
    /src\/tools\/greet\.ts:3:\d+ {2}error MW6001 {2}Cannot find name 'whom'.*\(TS2552\)/,
  );
  await dev.says(/ → 3 \| export const greet.*\n +\| +\^\^\^\^\n/);
  await dev.says(/not restarted: the last good server goes on/);
  await write(folder, "src/tools/greet.ts", handler("who +"));
  await dev.says(/greet\.ts:3:\d+ {2}error MW4005 .*\(Expression expected\)/);
  await dev.says(/not restarted/);
  await write(folder, "mcp.yaml", manifest(greet("Greets."), "  - { name: }\n"));
  await dev.says(/mcp\.yaml:8:13 {2}error MW1201 [^]* → 8 \| {3}- \{ name: \}\n/);
  await dev.says(/not restarted/);
  await appendFile(join(folder, "test/tools/greet.test.ts"), "const text: string = 1;\n");
  // As editors save: a new file under the old name.
  await write(folder, "src/tools/.greet.ts.tmp", handler("`Good day, ${who}`"));
  await rename(join(folder, "src/tools/.greet.ts.tmp"), join(folder, "src/tools/greet.ts"));
  await dev.says(/not restarted/);
  assert.equal(await toolNames(first.url), ["greet"]);

  await write(
    folder,
    "mcp.yaml",
    manifest(greet("Greets."), "  - { name: more, description: M. }\n"),
  );
  await dev.says(/test\/tools\/greet\.test\.ts:\d+:7 {2}warning MW6001 /);
  const second = await dev.starts();
  assert.equal(await toolNames(second.url), ["greet", "more"]);
  assert.equal(await greeting(second.url), [{ type: "text", text: "Good day, you" }]);
  assert.is(isRunning(first.processId), false);

  await appendFile(join(folder, "src/main.ts"), "// mine\n");
  await dev.says(/src\/main\.ts:1:1 {2}error MW4001 /);
  await dev.says(/not restarted/);
  assert.equal(await toolNames(second.url), ["greet", "more"]);

  dev.kill("SIGINT");
  assert.is(await dev.ended, 130);
  for (const [code] of dev.output.matchAll(/MW6\d+/g)) provoked.add(code);
  assert.is(isRunning(second.processId), false);
  assert.equal(
    [...dev.output.matchAll(/changed: (.*)/g)].map(([, paths = ""]) => paths).filter(isOwnWork),
    [],
    "what generating writes is no change",
  );
  assert.is(dev.output.match(/warning MW3301/g)?.length, 1, "a warning is not repeated");
});

function isOwnWork(paths: string): boolean {
  return /src\/generated|mcpwright\.lock/.test(paths);
}

test("a server that exits is reported once, and restarted after a change", async () => {
  const folder = await newProject("crash");
  await mcpwright(folder, "generate");
  await installWithCompiler(folder, ACCEPTS_ALL);
  const context = await readFile(join(folder, "src/context.ts"), "utf8");
  await write(folder, "src/context.ts", `${context}\nprocess.exit(7);\n`);
  // A package of another version is said, and the server runs with it all the same.
  const packageJson = await readFile(join(folder, "package.json"), "utf8");
  await write(folder, "package.json", packageJson.replace(/("esbuild": ")[^"]+/, "$199.0.0"));
  const dev = start(folder, "--json", "--", "--port", "0");
  await dev.says(/"code":"MW6006".*esbuild is [\d.]+, not 99\.0\.0/);
  await dev.says(/"event":"ended","exitCode":7,"signal":null/);
  await dev.says(/"code":"MW6004"/);
  await dev.says(/"event":"waiting","serving":false/);
  await write(folder, "src/context.ts", context);
  const [, processId] = await dev.says(/"event":"started","processId":(\d+)/);
  await dev.says(/"url":"/);

  // Killed, it cannot end the server: the server notices.
  dev.kill("SIGKILL");
  await gone(Number(processId));
  const validate = await eventValidator();
  const events = dev.output.split("\n").filter((line) => line.startsWith('{"event"'));
  for (const line of events) {
    const event = JSON.parse(line) as { event: string };
    assert.ok(validate(event), `${line}\n${JSON.stringify(validate.errors)}`);
  }
  for (const [code] of dev.output.matchAll(/MW6\d+/g)) provoked.add(code);
  const names = events.map((line) => (JSON.parse(line) as { event: string }).event);
  assert.equal(names, [
    ...["generated", "checked", "started", "ended", "waiting"],
    ...["generated", "checked", "started"],
  ]);
});

async function eventValidator(): Promise<ValidateFunction> {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false });
  const report = "generate-report.schema.json";
  return ajv
    .addSchema(await schemaNamed(report), report)
    .compile(await schemaNamed("dev-event.schema.json"));
}

async function schemaNamed(name: string): Promise<object> {
  const url = new URL(`schemas/${name}`, packageRoot);
  return JSON.parse(await readFile(url, "utf8")) as object;
}

test("every diagnostic code MW60xx is provoked by a test", () => {
  const own = allEntries.map(({ code }) => code).filter((code) => code.startsWith("MW60"));
  // `plan` has MW6002 (cli/handler-check.test.ts) and MW6007 (cli/type-check/project-configuration.test.ts), and `preview`
  // has MW6005 (preview.test.ts).
  const elsewhere = ["MW6002", "MW6005", "MW6007"];
  assert.equal(own, [...new Set([...provoked, ...elsewhere])].sort());
});

test("dev waits for a missing manifest; while no server runs, a signal ends it at once", async () => {
  const folder = join(root, "late");
  await mkdir(folder);
  const dev = start(root, "-C", "late", "spec/server.yaml", "--out", "project");
  await dev.says(/spec\/server\.yaml:1:1 {2}error MW1001/);
  await dev.says(/no server runs: waiting for a change/);
  await mkdir(join(folder, "spec"));
  await write(folder, "spec/server.yaml", manifest(greet("Greets.")));
  await dev.says(/\n\+ src\/tools\/greet\.ts /);
  await dev.says(/\nproject\/package\.json:1:1 {2}error MW6003/);
  dev.kill("SIGTERM");
  assert.is(await dev.ended, 143);
  assert.is((await mcpwright(folder, "check", "spec/server.yaml", "-o", "project")).status, 0);
});

test("an unusable output folder ends the run", async () => {
  const folder = await newProject("out");
  const wrong = start(folder, "--out", "/");
  assert.is(await wrong.ended, 1);
  assert.match(wrong.output, "MW4022");
});

test.run();
