import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { until } from "../../../../templates/runtime/samples/until.js";
import { DevProcess } from "../../harness/clients/dev-process.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { installWithCompiler } from "../../harness/projects/stand-in-compiler.js";
import { connectHttp } from "../../harness/clients/project-clients.js";

/** `dev` starts only what was checked: what the compiler accepted and what the server runs are the same bytes. */
const root = await mkdtemp(join(tmpdir(), "mcpwright-dev-checked-"));
const started: DevProcess[] = [];
test.after(async () => {
  for (const dev of started) dev.kill("SIGKILL");
  await rm(root, { recursive: true, force: true });
});

const MANIFEST = `name: demo
version: 1.0.0
transports: [{ type: http }]
tools:
  - name: greet
    description: Greets.
    inputSchema: { type: object, additionalProperties: false }
`;
const HANDLER = "src/tools/greet.ts";
const handler = (body: string): string =>
  `import type { ToolHandler } from "../generated/index.ts";\n\nexport const greet: ToolHandler<"greet"> = () => ${body};\n`;
const CHECKED = handler('"checked"');
/** It runs, but no compiler accepts it. */
const UNCHECKED = handler('{ const answer: number = "unchecked"; return String(answer); }');

/** Begins a module that is evaluated once there is a file `go`. */
const WAIT = `import { existsSync } from "node:fs";
while (!existsSync("go")) await new Promise((resolve) => setTimeout(resolve, 20));
`;

/**
 * A compiler that knows one mistake. It keeps its verdict for itself while there is a file `hold`.
 */
const COMPILER = `import { existsSync, readFileSync, writeFileSync } from "node:fs";
const path = "${HANDLER}";
const at = readFileSync(path, "utf8").split("\\n")[2].indexOf('answer: number = "') + 1;
writeFileSync("judged", "");
while (existsSync("hold")) await new Promise((resolve) => setTimeout(resolve, 20));
if (at > 0) {
  console.log(path + "(3," + at + "): error TS2322: Type 'string' is not assignable to type 'number'.");
  process.exitCode = 2;
}
`;

/**
 * A project that is installed, where the compiler keeps its verdict for itself while there is a file `hold`, as there is, and
 * whose server waits for a file `go`.
 */
async function newProject(): Promise<string> {
  const folder = join(root, "demo");
  await mcpwright(root, "init", "demo", "--only-manifest");
  await writeFile(join(folder, "mcp.yaml"), MANIFEST);
  await mcpwright(folder, "generate");
  await writeFile(join(folder, HANDLER), CHECKED);
  const context = await readFile(join(folder, "src/context.ts"), "utf8");
  await writeFile(join(folder, "src/context.ts"), WAIT + context);
  await writeFile(join(folder, "hold"), "");
  await installWithCompiler(folder, COMPILER);
  return folder;
}

function start(folder: string): DevProcess {
  const dev = new DevProcess(folder, "--", "--port", "0");
  started.push(dev);
  return dev;
}

async function answer(url: string): Promise<unknown> {
  const client = await connectHttp(url, "modern");
  const { content } = await client.callTool({ name: "greet", arguments: {} });
  await client.close();
  return content;
}

test("a file that is saved during the check is checked again before the server starts, and a server that loads its modules after a later save runs the checked version", async () => {
  const folder = await newProject();
  const dev = start(folder);
  await until(() => existsSync(join(folder, "judged")));
  await writeFile(join(folder, HANDLER), UNCHECKED);
  await rm(join(folder, "hold"));
  await dev.says(/greet\.ts:3:\d+ {2}error MW6001 /);
  await dev.says(/not restarted|no server runs/);
  assert.not.match(dev.output, /started the server/);

  await writeFile(join(folder, HANDLER), CHECKED);
  await dev.says(/started the server/);
  await writeFile(join(folder, HANDLER), UNCHECKED);
  await dev.says(/error MW6001 /);
  await dev.says(/not restarted|no server runs/);
  await writeFile(join(folder, "go"), "");
  const [, url = ""] = await dev.says(/"url":"([^"]+)"/);
  assert.equal(await answer(url), [{ type: "text", text: "checked" }]);
  dev.kill("SIGINT");
  assert.is(await dev.ended, 130);
});

test.run();
