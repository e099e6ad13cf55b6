import { test } from "uvu";
import * as assert from "uvu/assert";
import { defineAsks } from "../asking/define-asks.js";
import type { ServerDefinition } from "../engine/definition.js";
import { createLog } from "../observe/log.js";
import {
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
} from "./define-server.js";
import { askingParts } from "../samples/asking.js";
import { sampleServer } from "../samples/server.js";
import { connectTo } from "../suite/clients/http.js";
import { createServer, type RunningServer } from "./create-server.js";

/** Items that import their code and validators at their first use, and record their imports. */

const validator = () => true;

interface Watched {
  readonly server: RunningServer;
  /** The imports, in their order. */
  readonly imports: readonly string[];
  /** The log entries. */
  readonly lines: readonly string[];
}

/** Makes the function that imports a value. The name is what it records. */
type Late = <Value>(name: string, value: Value) => () => Promise<Value>;

/** Items of each kind, whose code and validators are imported late. */
function lateItems(late: Late) {
  const requestedSchema = { type: "object", properties: {} } as const;
  return {
    tools: [
      defineTool<object, string, never>({
        definition: { name: "greet", inputSchema: { type: "object" } },
        validators: late("greet validators", { input: validator }),
        handler: late("greet handler", () => "Hello"),
      }),
      defineTool<object, string, never>({
        definition: { name: "ask", inputSchema: { type: "object" } },
        validators: late("ask validators", { input: validator }),
        handler: late("ask handler", () => "Asked"),
        asks: defineAsks({
          elicitations: {
            sure: {
              kind: "form",
              message: ["Sure?"],
              requestedSchema,
              validator: late("ask form", validator),
            },
          },
        }),
      }),
    ],
    resources: [
      defineResource<string, never>({
        definition: { uri: "x://a", name: "a" },
        handler: late("a handler", () => "text"),
      }),
    ],
    resourceTemplates: [
      defineResourceTemplate<{ id: string }, never>({
        definition: { uriTemplate: "x://{id}", name: "b" },
        parts: [
          { kind: "literal", text: "x://" },
          { kind: "expression", operator: "", names: ["id"], explode: false },
        ],
        handler: late("b handler", () => "text"),
        list: late("b list", () => []),
      }),
    ],
    prompts: [
      definePrompt<{ topic: string }, never>({
        definition: { name: "sum", arguments: [{ name: "topic" }] },
        handler: late("sum handler", () => "Sum up."),
        complete: { topic: late("sum completion", () => ["a"]) },
      }),
    ],
  };
}

function watchedServer(broken: readonly string[] = []): Watched {
  const imports: string[] = [];
  const lines: string[] = [];
  const late: Late = (name, value) => async () => {
    imports.push(name);
    if (broken.includes(name)) throw new Error(`no module ${name}`);
    return value;
  };
  const definition: ServerDefinition = {
    ...sampleServer,
    ...askingParts,
    ...lateItems(late),
  };
  const log = createLog({ write: (line) => void lines.push(line) });
  return { server: createServer(definition, { root: ".", log }), imports, lines };
}

test("the start and the lists of tools, templates and prompts import no code of items", async () => {
  const { server, imports } = watchedServer();
  const client = await connectTo((request) => server.fetch(request), "modern");
  await client.listTools();
  await client.listResourceTemplates();
  await client.listPrompts();
  assert.equal(imports, []);
  await client.close();
  await server.close();
});

test("each item imports what it needs at its first use, once", async () => {
  const { server, imports } = watchedServer();
  const client = await connectTo((request) => server.fetch(request), "modern");
  const uses: readonly (readonly [use: () => Promise<unknown>, imported: readonly string[]])[] = [
    [
      () => client.callTool({ name: "greet", arguments: {} }),
      ["greet validators", "greet handler"],
    ],
    [
      () => client.callTool({ name: "ask", arguments: {} }),
      ["ask validators", "ask handler", "ask form"],
    ],
    [() => client.readResource({ uri: "x://a" }), ["a handler"]],
    [() => client.readResource({ uri: "x://one" }), ["b handler"]],
    [() => client.listResources(), ["b list"]],
    [() => client.getPrompt({ name: "sum", arguments: {} }), ["sum handler"]],
    [
      () =>
        client.complete({
          ref: { type: "ref/prompt", name: "sum" },
          argument: { name: "topic", value: "" },
        }),
      ["sum completion"],
    ],
  ];
  let all: string[] = [];
  for (const [use, imported] of uses) {
    all = [...all, ...imported];
    await use();
    await use();
    assert.equal(imports, all);
  }
  await client.close();
  await server.close();
});

test("an item that cannot be imported in the background is logged, and the others are imported", async () => {
  const { server, imports, lines } = watchedServer(["greet handler", "ask form"]);
  await server.importItems();
  assert.equal([...server.brokenItems], ["tool greet", "tool ask"]);
  assert.is(new Set(imports).size, 10);
  const logged = lines.filter((line) => line.includes("an item cannot be used"));
  assert.is(logged.length, 2);
  assert.match(logged[0] ?? "", "no module greet handler");
  await server.close();
});

test("a call of an item that cannot be imported fails with only a reference", async () => {
  const { server, lines } = watchedServer(["greet handler"]);
  const client = await connectTo((request) => server.fetch(request), "modern");
  const answer = await client.callTool({ name: "greet", arguments: {} });
  assert.is(answer.isError, true);
  assert.not.match(JSON.stringify(answer), "no module");
  assert.ok(lines.some((line) => line.includes("no module greet handler")));
  await client.close();
  await server.close();
});

test.run();
