import { test } from "uvu";
import * as assert from "uvu/assert";
import { normalize } from "../../3-normalize/normalize.js";
import type { Manifest } from "../../model/manifest.js";
import type { OutputFile } from "../../model/output-file.js";
import { emit } from "../emit.js";

const form = {
  type: "object",
  properties: { ok: { type: "boolean" }, how: { type: "string", enum: ["a"], enumNames: ["A"] } },
  required: ["ok"],
};

const silent: Manifest = {
  name: "demo",
  version: "1.0.0",
  transports: [{ type: "stdio" }, { type: "http" }],
  tools: [{ name: "ping", description: "Answers." }],
  resources: [{ uri: "demo://log", name: "log" }],
};

const asking: Manifest = {
  ...silent,
  tools: [
    ...(silent.tools ?? []),
    {
      name: "deploy",
      description: "Deploys.",
      uses: ["sampling"],
      elicitations: {
        confirm: {
          message: "Deploy {{env}}{{#note}} ({{note}}){{/note}}?",
          requestedSchema: form,
        },
        pay: { message: "Pay.", url: "https://example.com/pay" },
      },
    },
  ],
  resources: [{ uri: "demo://log", name: "log", uses: ["roots"] }],
};

/** The files of a manifest's project, by path. */
async function project(manifest: Manifest): Promise<ReadonlyMap<string, string>> {
  const files: OutputFile[] = await emit(normalize(manifest));
  return new Map(files.map(({ path, content }) => [path, content]));
}

test("only the handlers whose items may ask have typed functions for asking", async () => {
  const files = await project(asking);
  const types = ["index", "tools/deploy", "tools/ping", "tools/log", "resources/log"]
    .map((module) => files.get(`src/generated/${module}.ts`) ?? "")
    .join("\n");
  const expected = [
    "export type ToolHandler<Name extends ToolName> = (",
    "  ctx: ToolContext<Name>,",
    "  deploy: DeployToolAsks;",
    "export type DeployToolAsks = { readonly elicit: DeployToolQuestions } & SamplingContext;",
    "const tool: ToolEntry = defineTool<DeployInput, ToolContent, Context & DeployToolAsks>({",
    "  log: LogResourceAsks;",
    "export type LogResourceAsks = RootsContext;",
    "  readonly confirm: Elicit<",
    "    { env: string | number | boolean; note?: string | number | boolean },",
    '  readonly pay: Elicit<NoValues, DeployToolAnswers["pay"]>;',
    "    ok: boolean;",
    '    how?: "a";',
    "  pay: true;",
  ];
  const lines = types.split("\n");
  assert.equal(
    expected.filter((line) => !lines.includes(line)),
    [],
  );
  assert.not.match(types, /ping: .*(elicit|Asks)/);
  assert.match(files.get("src/generated/tools/ping.ts") ?? "", ", Context>({");
});

test("the definition of a tool has its questions and a validator for the answers to each form", async () => {
  const files = await project(asking);
  const tools = files.get("src/generated/tools/deploy.ts") ?? "";
  assert.match(tools, '(await import("./deploy.validators.ts")).confirmForm');
  assert.match(tools, /enumNames: \["A"\]/);
  assert.match(tools, /sampling: true/);
  assert.match(
    files.get("src/generated/tools/deploy.validators.ts") ?? "",
    "export const confirmForm: ",
  );
  assert.match(files.get("src/generated/server.ts") ?? "", /asking\(\)/);
  assert.match(files.get(".env.example") ?? "", /^REQUEST_STATE_KEY=$/m);
});

test("a project whose handlers ask nothing has no code for asking", async () => {
  const files = await project(silent);
  const asked = [...files.keys()].filter((path) => /asking|question/.test(path));
  assert.equal(asked, []);
  for (const path of ["server", "index", "tools/ping", "resources/log"]) {
    const content = files.get(`src/generated/${path}.ts`);
    assert.ok(content, path);
    assert.not.match(content ?? "", /asking|asks|elicit|isSuspend|InputRefused/i, path);
  }
  assert.not.ok(files.has(".env.example"));
});

test("a server without tools has validators for its forms", async () => {
  const { tools: _none, ...rest } = asking;
  const files = await project({
    ...rest,
    prompts: [
      {
        name: "plan",
        description: "Plans.",
        elicitations: { confirm: { message: "Sure?", requestedSchema: form } },
      },
    ],
  });
  assert.match(files.get("src/generated/prompts/plan.ts") ?? "", '"./plan.validators.ts"');
  assert.match(
    files.get("src/generated/prompts/plan.validators.ts") ?? "",
    "export const confirmForm: ",
  );
});

test.run();
