import { withGuard } from "./transports/guard.js";
import type { PromptsContract } from "./items/prompt-contract.js";
import type { ResourcesContract } from "./items/resource-contract.js";
import type { ToolEntry } from "../tools/definition.js";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { pathToFileURL } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createServer } from "../server/create-server.js";
import { missingServices, withTestServices } from "../testing/test-context.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { Validator } from "../engine/item.js";
import { NotImplementedError } from "../engine/errors.js";
import { serverEnvironment } from "./contract.js";
import type { JsonObject, ToolsContract } from "./contract.js";
import type { CreateServer, SkippingRegistry } from "./clients/probed-server.js";
import { connectStdio } from "./clients/harness.js";
import { testExamples } from "./items/examples.js";
import { testChanges } from "./items/changes.js";
import { testPrompts } from "./items/prompts.js";
import { testResources } from "./items/resources.js";
import { ServerStderr } from "./clients/server-stderr.js";
import { testOnceWritten } from "./starter.js";
import { testOutputs, withoutWrappedSchema } from "./items/outputs.js";
import { testArgumentLimits } from "./items/argument-limits.js";
import { testTools } from "./items/tools.js";
import { parts } from "../samples/parts.js";

/** Runs the suites of generated projects against a right server and wrong ones. */

const listedTool = { name: "add", inputSchema: { type: "object" } };

/** Makes a validator with one issue, in the form of compiled ones. */
function validator(accepts: (value: unknown) => boolean, path: string, message: string): Validator {
  const validate: Validator = (value) => {
    const issue = { instancePath: path, keyword: "type", params: {}, message };
    validate.errors = accepts(value) ? null : [issue];
    return validate.errors === null;
  };
  return validate;
}

const hasNumberAt = (value: unknown): boolean => typeof (value as JsonObject)["a"] === "number";
const hasNumber = validator(hasNumberAt, "/a", "must be number");
const isNumber = validator((value) => typeof value === "number", "", "must be number");
const probeMe = (): never => {
  throw new Error("the tests must not reach this handler");
};

const addTool: ToolEntry = {
  definition: listedTool as ToolEntry["definition"],
  aliases: ["plus"],
  validators: () => ({ input: hasNumber, output: isNumber }),
  defaults: { properties: { b: { value: 2 } } },
  handler: () => probeMe,
  mock: { kind: "value", value: 3 },
  mocks: [{ arguments: { a: 2, b: 2 }, answer: { kind: "value", value: 4 } }],
};

const resetTool: ToolEntry = {
  definition: { name: "reset", inputSchema: { type: "object" } },
  enabled: false,
  validators: () => ({ input: () => true }),
  answer: { content: [{ type: "text", text: ["done"] }] },
};

const definition: ServerDefinition = {
  ...parts,
  info: { name: "suites", version: "1.0.0" },
  protocol: { legacy: "serve" },
  transports: [],
  env: [],
  pageSize: 1,
  cache: { ttlMs: 1_000 },
  tools: [addTool, resetTool],
  resources: [
    {
      definition: { uri: "x://help", name: "help", mimeType: "text/plain" },
      subscribe: true,
      cache: { cacheScope: "public" },
      text: "help",
    },
    {
      definition: { uri: "x://more", name: "more" },
      blob: "AQID",
    },
  ],
  resourceTemplates: [
    {
      definition: { uriTemplate: "x://notes/{id}", name: "note" },
      parts: [
        { kind: "literal", text: "x://notes/" },
        { kind: "expression", operator: "", names: ["id"], explode: false },
      ],
      complete: { id: ["1", "2"], rev: probeMe },
      list: probeMe,
      subscribe: true,
      enabled: true,
      handler: () => probeMe,
    },
  ],
  prompts: [
    {
      definition: { name: "greet", arguments: [{ name: "who", required: true }] },
      enabled: true,
      messages: [
        { role: "user", content: { type: "text", text: ["Hello ", { argument: "who" }] } },
      ],
    },
  ],
};

const settings = { pageSize: 1, cache: { ttlMs: 1_000 } };

const toolsContract: ToolsContract = {
  settings,
  list: [listedTool, { name: "reset", inputSchema: { type: "object" } }],
  tools: [
    {
      name: "add",
      aliases: ["plus"],
      stub: "not written",
      mock: { structuredContent: 3 },
      accepted: [
        { arguments: { a: 1 }, received: { a: 1, b: 2 } },
        { arguments: { a: 2 }, received: { a: 2, b: 2 }, mock: { structuredContent: 4 } },
      ],
      refused: [
        { value: { a: "x" }, says: "a: must be number" },
        { value: { a: ["x"] }, says: "a: must be number" },
      ],
      output: { accepted: [3], refused: [{ value: "x", says: "/: type" }] },
      examples: [],
      untested: [],
    },
    {
      name: "reset",
      fixed: true,
      enabled: false,
      accepted: [{ arguments: {}, answer: { content: [{ type: "text", text: "done" }] } }],
      refused: [],
      examples: [],
      untested: [],
    },
  ],
};

const resourcesContract: ResourcesContract = {
  settings,
  list: [
    { uri: "x://help", name: "help", mimeType: "text/plain" },
    { uri: "x://more", name: "more" },
  ],
  templateList: [{ uriTemplate: "x://notes/{id}", name: "note" }],
  resources: [
    {
      name: "help",
      uri: "x://help",
      mimeType: "text/plain",
      text: "help",
      subscribe: true,
      cache: { cacheScope: "public" },
    },
    { name: "more", uri: "x://more", blob: "AQID" },
  ],
  templates: [
    {
      name: "note",
      enabled: true,
      subscribe: true,
      uriTemplate: "x://notes/{id}",
      matching: [{ uri: "x://notes/a%20b", variables: { id: "a b" } }],
      refused: ["x://notes/.."],
      lists: true,
      completions: [
        { argument: "id", values: ["1", "2"], total: 2 },
        { argument: "rev", given: { id: "7" } },
      ],
    },
  ],
  unknown: ["y://nothing"],
};

const promptsContract: PromptsContract = {
  settings,
  list: [{ name: "greet", arguments: [{ name: "who", required: true }] }],
  prompts: [
    {
      name: "greet",
      enabled: true,
      required: ["who"],
      cases: [
        {
          arguments: { who: "{{who}}" },
          messages: [{ role: "user", content: { type: "text", text: "Hello {{who}}" } }],
        },
      ],
      completions: [],
    },
  ],
};

/** Collects tests instead of running them. */
class Collected {
  readonly tests: { title: string; run: () => Promise<void> }[] = [];
  readonly skipped: string[] = [];
  #after: (() => Promise<void>)[] = [];

  readonly registry: SkippingRegistry = Object.assign(
    (title: string, run: () => Promise<void>) => void this.tests.push({ title, run }),
    {
      after: (run: () => Promise<void>) => void this.#after.push(run),
      skip: (title: string) => void this.skipped.push(title),
    },
  );

  /** Returns the titles of the tests that fail, with their messages. */
  async failures(): Promise<string[]> {
    const failed: string[] = [];
    for (const { title, run } of this.tests) {
      await run().catch((error: unknown) => failed.push(`${title}: ${String(error)}`));
    }
    for (const run of this.#after) await run();
    return failed;
  }
}

async function failuresOf(changes: Partial<ServerDefinition>): Promise<string[]> {
  const collected = new Collected();
  const create: CreateServer = (options) =>
    createServer({ ...definition, ...changes }, { root: ".", ...options });
  const stubError = new NotImplementedError("src/add.ts");
  testTools(collected.registry, toolsContract, create, stubError, withoutWrappedSchema);
  const { tools } = { ...definition, ...changes };
  testOutputs(collected.registry, toolsContract, create, tools);
  testResources(collected.registry, resourcesContract, create);
  testPrompts(collected.registry, promptsContract, create);
  const contracts = {
    tools: toolsContract,
    resources: resourcesContract,
    prompts: promptsContract,
  };
  testChanges(collected.registry, contracts, create);
  return collected.failures();
}

test("a server that keeps its contract passes", async () => {
  assert.equal(await failuresOf({}), []);
});

test("each wrong table makes a test fail", async () => {
  const [resource, more] = definition.resources;
  const [template] = definition.resourceTemplates;
  const [prompt] = definition.prompts;
  if (!resource || !more || !template || !prompt)
    return assert.unreachable("the sample has one of each");
  const withTool = (changes: Partial<ToolEntry>) => ({
    tools: [{ ...addTool, ...changes }, resetTool],
  });
  const withInput = (input: Validator) =>
    withTool({ validators: () => ({ input, output: isNumber }) });
  const withOutput = (output: Validator) =>
    withTool({ validators: () => ({ input: hasNumber, output }) });
  const { enabled: _off, ...alwaysThere } = resetTool;
  const { list: _list, ...unlisted } = template;
  const { enabled: _on, ...steady } = prompt;
  const wrong: Record<string, Partial<ServerDefinition>> = {
    "a tool listed otherwise": withTool({
      definition: { ...addTool.definition, description: "Adds." },
    }),
    "an alias that nothing answers to": withTool({ aliases: ["pluss"] }),
    "input that is not checked": withInput(() => true),
    "input that is never accepted": withInput(() => false),
    "another finding": withInput(validator(hasNumberAt, "/a", "must be numbers")),
    "another default": withTool({ defaults: { properties: { b: { value: 3 } } } }),
    "output that is not checked": withOutput(() => true),
    "output that is never accepted": withOutput(() => false),
    "another mock": withTool({
      mock: { kind: "value", value: 4 },
    }),
    "no mock of another example": withTool({
      mocks: [],
    }),
    "another text": { resources: [{ ...resource, text: "no" }, more] },
    "a resource at another URI": {
      resources: [{ ...resource, definition: { ...resource.definition, uri: "x://hell" } }, more],
    },
    "a template that takes other URIs": {
      resourceTemplates: [{ ...template, parts: [{ kind: "literal", text: "x://notes/" }] }],
    },
    "other values offered": {
      resourceTemplates: [{ ...template, complete: { id: ["1"], rev: probeMe } }],
    },
    "all on one page": { pageSize: 2 },
    "other caching hints": { cache: { ttlMs: 2_000 } },
    "caching hints of its own left out": { resources: [{ ...resource, cache: {} }, more] },
    "a tool that is there from the start": { tools: [addTool, { ...resetTool, enabled: true }] },
    "a tool that cannot be switched": { tools: [addTool, alwaysThere] },
    "a prompt that cannot be switched": { prompts: [steady] },
    "a resource that cannot be watched": { resources: [{ ...resource, subscribe: false }, more] },
    "a template that cannot be watched": { resourceTemplates: [{ ...template, subscribe: false }] },
    "values of the manifest where there is code": {
      resourceTemplates: [{ ...template, complete: { id: ["1", "2"], rev: ["probe"] } }],
    },
    "instances that nothing lists": { resourceTemplates: [unlisted] },
    "another role": {
      prompts: [
        {
          ...prompt,
          messages: [
            {
              role: "assistant",
              content: { type: "text", text: ["Hello ", { argument: "who" }] },
            },
          ],
        },
      ],
    },
    "an argument that may be missing": {
      prompts: [
        { ...prompt, definition: { name: "greet", arguments: [{ name: "who", required: false }] } },
      ],
    },
  };
  for (const [what, changes] of Object.entries(wrong)) {
    assert.ok((await failuresOf(changes)).length > 0, what);
  }
});

test("arguments beyond the manifest's limits are expected to be refused", async () => {
  const limits = { elements: 1 };
  const tool = toolsContract.tools[0]!;
  const contract = { ...toolsContract, tools: [{ ...tool, tooMuch: [{ a: 1, c: 2 }] }] };
  const failures = async (changes: Partial<ServerDefinition>): Promise<string[]> => {
    const collected = new Collected();
    const create: CreateServer = (options) =>
      createServer({ ...definition, ...changes }, { root: ".", ...options });
    testArgumentLimits(collected.registry, contract, create);
    return (await collected.failures()).map((failure) => failure.split(":")[0]!);
  };
  assert.equal(await failures({ limits }), []);
  assert.equal(await failures({}), ["add refuses arguments beyond the server's limits"]);
});

test("what a failing test says is safe for a terminal", async () => {
  const [resource, more] = definition.resources;
  const text = "\u001b]0;pwn\u0007\u202E";
  const [failure = ""] = await failuresOf({
    resources: [{ ...resource!, text }, more!],
  });
  assert.match(failure, 'at /0: expected "help", got "\\u001b]0;pwn\\u0007\\u202e"');
  assert.not.match(failure, /[\u0000-\u001f\u202e]/);
});

test("the starter test of a stub or without services is skipped, that of a handler is run", async () => {
  const collected = new Collected();
  const stub = Object.assign(new Error("Not implemented yet"), { name: "NotImplementedError" });
  const printed = await printedWhile(async () => {
    await testOnceWritten(collected.registry, "stub", () => Promise.reject(stub));
    await testOnceWritten(collected.registry, "needy", async () => {
      (missingServices() as { database: { query(): void } }).database.query();
    });
    await testOnceWritten(collected.registry, "good", () => Promise.resolve());
    await testOnceWritten(collected.registry, "bad", () => Promise.reject(new Error("wrong")));
  });
  assert.is(printed[0], "skipped: stub (Not implemented yet)");
  assert.match(printed[1] ?? "", "skipped: needy (needs ctx.services.database: pass it, ");
  assert.equal(collected.skipped, ["stub", "needy"]);
  assert.equal(await collected.failures(), ["bad: Error: wrong"]);
});

test("examples whose handlers are not called reach none, and are held against the schemas", async () => {
  const example = (name: string, values: JsonObject, answer: JsonObject) => ({
    name,
    arguments: values,
    answer,
  });
  const examples = [
    example("right", { a: 1 }, { structuredContent: 3 }),
    example("wrong arguments", { a: "x" }, { structuredContent: 3 }),
    example("wrong result", { a: 1 }, { structuredContent: "x" }),
    example("error", { a: 2 }, { content: [{ type: "text", text: "no" }], isError: true }),
  ];
  const uncalled = "the tool is not read-only";
  const uncalledExamples = examples.map((example) => ({ ...example, uncalled }));
  const tools = [{ ...toolsContract.tools[0]!, examples: uncalledExamples }];
  const server = {
    info: {},
    protocol: { legacy: "serve" as const },
    transports: [],
    env: [],
    capabilities: {},
    settings: {},
    timeouts: {},
    environment: {},
    lists: [],
  };
  const create: CreateServer = (options) => createServer(definition, { root: ".", ...options });
  const collected = new Collected();
  const printed = await printedWhile(() =>
    testExamples(collected.registry, tools, server, create, connectStdio),
  );
  const reason = `(the handler is not called: ${uncalled})`;
  assert.is(printed[0], `skipped: add, example: right ${reason}`);
  assert.is(collected.skipped.length, examples.length);
  const failed = (await collected.failures()).map((failure) => failure.split(":")[1]);
  assert.equal(failed, [" wrong arguments, fits the schemas", " wrong result, fits the schemas"]);
});

test("a test's server gets no value that the developer set for the manifest's variables", () => {
  const env = [{ name: "API_TOKEN" }, { name: "API_URL" }];
  const own = { API_TOKEN: "real", API_URL: "https://real.example", PORT: "80", PATH: "/bin" };
  const given = serverEnvironment({ env, environment: { API_TOKEN: "test" } }, own);
  assert.equal(given, { PATH: "/bin", API_TOKEN: "test" });
});

test("whether the server asks who calls is read in the project's own code, too", async () => {
  const folder = await mkdtemp(join(tmpdir(), "context-"));
  const context = pathToFileURL(join(folder, "context.js"));
  const guardOf = async (code: string, guarded?: { method: string; params: JsonObject }) => {
    await writeFile(context, code);
    return (await withGuard({ ...(guarded && { guarded }) }, context)).guarded;
  };
  const found = { method: "server/discover", params: {}, mayBeOpen: true };
  await writeFile(new URL("auth.js", context), "export async function authenticate() {}");
  await writeFile(
    new URL("all.js", context),
    'export * from "./context.js";\nexport * from "./a.js";',
  );
  await writeFile(new URL("a.js", context), "export const a = 1;");
  for (const code of [
    "export const authenticate = async ({ token }) => token;",
    "const a = 1;\nexport async function authenticate() {}",
    'export {\n  authenticate\n} from "./auth.js";',
    "export const { authenticate, protectedResource } = authentication();",
    "export * from \"./all.js\";\nexport * from './auth.js';",
    'export * from "@example/authentication";',
  ]) {
    assert.equal(await guardOf(code), found, code);
  }
  for (const code of [
    "// export const authenticate = 1;\nexport const authenticates = 1;",
    'export * from "./all.js";',
    'export * as auth from "./auth.js";',
    '// export * from "./auth.js";',
  ]) {
    assert.is(await guardOf(code), undefined, code);
  }
  const guarded = { method: "tools/call", params: { name: "a" } };
  assert.equal(await guardOf("export const authenticate = 1;", guarded), guarded);
  await rm(folder, { recursive: true });
});

test("a step that fails says what the server wrote last, safe for a terminal", async () => {
  const stream = new PassThrough();
  const stderr = new ServerStderr(stream);
  stream.write(`${"x".repeat(10_000)}\nERR_MODULE \u001b[31m`);
  stream.end();
  const failed = stderr.explain(() => Promise.reject(new Error("Connection closed")));
  const { message } = await failed.then(
    () => new Error("it has not failed"),
    (error: Error) => error,
  );
  assert.match(message, /^Connection closed\nThe server's stderr:\n/);
  assert.match(message, "ERR_MODULE \\u001b[31m");
  assert.ok(message.length < 5_000);
});

test("the service that a handler wanted in vain is told once", async () => {
  const stream = new PassThrough();
  const stderr = new ServerStderr(stream);
  const context = { createServices: () => ({}), other: 1 };
  const { createServices, other } = withTestServices(context, { services: { count: 3 } });
  const services = createServices() as { count: number; database: { query(): void } };
  assert.is(other, 1);
  assert.is(services.count, 3);
  assert.is(await stderr.missingService(), undefined);
  const { error } = console;
  console.error = (text: string) => void stream.write(JSON.stringify({ message: text }));
  try {
    assert.throws(() => services.database.query(), /ctx\.services\.database/);
  } finally {
    console.error = error;
  }
  const missing = "needs ctx.services.database: give it in test/services.ts";
  assert.equal(
    [await stderr.missingService(), await stderr.missingService()],
    [missing, undefined],
  );
});

async function printedWhile(run: () => Promise<void>): Promise<string[]> {
  const lines: string[] = [];
  const { log } = console;
  console.log = (line: string) => void lines.push(line);
  try {
    await run();
  } finally {
    console.log = log;
  }
  return lines;
}

test.run();
