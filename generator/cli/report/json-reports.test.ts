import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { mcpwright } from "../../testing/harness/projects/generated-project.js";

const folder = await mkdtemp(join(tmpdir(), "mcpwright-json-"));
test.after(() => rm(folder, { recursive: true }));

async function schemaOf(report: string): Promise<ValidateFunction> {
  const url = new URL(`../../../../schemas/${report}-report.schema.json`, import.meta.url);
  const schema = JSON.parse(await readFile(url, "utf8")) as object;
  return new Ajv2020({
    strict: true,
    strictRequired: false,
    strictTypes: false,
    allErrors: true,
  }).compile(schema);
}

/** Runs a command with `--json` and checks that stdout is one document of its schema and nothing else. */
async function report(
  schema: string,
  ...argv: string[]
): Promise<{ status: number; document: Record<string, unknown> }> {
  const { status, out, err } = await mcpwright(folder, ...argv, "--json");
  assert.is(err, "");
  const document = JSON.parse(out) as Record<string, unknown>;
  const validate = await schemaOf(schema);
  assert.ok(validate(document), JSON.stringify(validate.errors));
  assert.is(document["exitCode"], status);
  const isDone = status === 0 || (status === 2 && argv[0] !== "check");
  assert.is(document["ok"], isDone, argv.join(" "));
  return { status, document };
}

const tool = "tools:\n  - { name: a, description: Does a. }\n";

test("validate reports a valid manifest, warnings, errors and a missing file as the schema says", async () => {
  await writeFile(join(folder, "mcp.yaml"), `name: demo\nversion: 1.0.0\n${tool}`);
  assert.is((await report("validate", "validate")).status, 0);
  await writeFile(join(folder, "mcp.yaml"), "name: demo\nversion: 1.0.0\nprompts: [{ name: p }]\n");
  assert.is((await report("validate", "validate")).status, 0);
  assert.is((await report("validate", "validate", "--strict")).status, 1);
  await writeFile(join(folder, "mcp.yaml"), "name: demo\nname: demo\nfoo: 1\n");
  const { status, document } = await report("validate", "validate", "--max-diagnostics", "1");
  assert.is(status, 1);
  assert.is((document["diagnostics"] as unknown[]).length, 1);
  assert.is((await report("validate", "validate", "absent.yaml")).status, 1);
});

test("plan, generate and check report before and after a generation, and with an edited file, as the schema says", async () => {
  await writeFile(join(folder, "mcp.yaml"), `name: demo\nversion: 1.0.0\n${tool}`);
  const planned = await report("generate", "plan");
  assert.is(planned.status, 2);
  const made = await report("generate", "generate");
  assert.is(made.status, 0);
  assert.equal(
    made.document["changes"],
    planned.document["changes"],
    "plan names what generate does",
  );
  assert.is((await report("generate", "check")).status, 0);
  await writeFile(
    join(folder, "mcp.yaml"),
    `name: demo\nversion: 1.1.0\n${tool}    title: A\n`.replace(" }\n    title: A", ", title: A }"),
  );
  assert.is((await report("generate", "check")).status, 2);
  const changed = await report("generate", "plan");
  const [{ file, line } = {}] = changed.document["semantic"] as { file?: string; line?: number }[];
  assert.equal([file, line], ["mcp.yaml", 4]);
  assert.equal(changed.document["tokens"], {
    ...{ lists: 30, before: 26 },
    items: [{ kind: "tool", name: "a", tokens: 30, before: 26 }],
  });
  assert.is((await report("generate", "generate")).status, 0);
  await writeFile(join(folder, "src/main.ts"), "// mine\n");
  assert.is((await report("generate", "check")).status, 3);
  assert.is((await report("generate", "generate")).status, 3);
  assert.is(await readFile(join(folder, "src/main.ts"), "utf8"), "// mine\n");
  assert.is((await report("generate", "generate", "--overwrite-edited")).status, 0);
  assert.is(await readFile(join(folder, "src/main.ts.saved"), "utf8"), "// mine\n");
});

test("diff reports equal, different and broken manifests as the schema says", async () => {
  await writeFile(join(folder, "old.yaml"), `name: demo\nversion: 1.0.0\n${tool}`);
  await writeFile(join(folder, "new.yaml"), "name: demo\nversion: 2.0.0\n");
  assert.equal((await report("diff", "diff", "old.yaml", "old.yaml")).document, {
    ok: true,
    exitCode: 0,
    semantic: [],
    tokens: {
      ...{ lists: 26, before: 26 },
      items: [{ kind: "tool", name: "a", tokens: 26, before: 26 }],
    },
  });
  const semantic = [
    {
      rule: "tool-removed",
      severity: "breaking",
      path: "tools.a",
      message: 'the tool "a" is gone',
      ...{ file: "new.yaml", line: 1 },
    },
  ];
  const { document } = await report("diff", "diff", "old.yaml", "new.yaml");
  const removed = { kind: "tool", name: "a", tokens: 0, before: 26 };
  const tokens = { lists: 0, before: 26, items: [removed] };
  assert.equal(document, { ok: true, exitCode: 0, semantic, tokens });
  const first = "tools:\n  - { name: z, description: Does z. }\n";
  await writeFile(
    join(folder, "renamed.yaml"),
    `name: demo\nversion: 1.0.0\n${first}  - { name: a, description: Does a., title: A }\n`,
  );
  const renamed = await report("diff", "diff", "old.yaml", "renamed.yaml");
  assert.equal(
    (renamed.document["semantic"] as { rule: string; file: string; line: number }[]).map(
      ({ rule, file, line }) => [rule, file, line],
    ),
    [
      ["title-changed", "renamed.yaml", 5],
      ["tool-added", "renamed.yaml", 4],
    ],
  );
  const failing = await report("diff", "diff", "old.yaml", "new.yaml", "--fail-on", "warning");
  assert.is(failing.status, 2);
  assert.is((await report("diff", "diff", "old.yaml", "absent.yaml")).status, 1);
  assert.is((await report("diff", "diff", "git:--help", "new.yaml")).status, 1);
  assert.is((await report("diff", "diff", "old.yaml")).status, 1);
});

test("a manifest that became invalid changes nothing", async () => {
  const before = await readFile(join(folder, "mcpwright.lock.json"), "utf8");
  await writeFile(join(folder, "mcp.yaml"), "name: demo\n");
  assert.is((await report("generate", "generate")).status, 1);
  assert.is(await readFile(join(folder, "mcpwright.lock.json"), "utf8"), before);
});

test.run();
