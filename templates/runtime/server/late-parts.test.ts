import { test } from "uvu";
import * as assert from "uvu/assert";
import type { ServerDefinition } from "../engine/definition.js";
import { http } from "../http.js";
import { stdio } from "../stdio.js";
import {
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
  defineServer,
  type ServerSettings,
} from "./define-server.js";
import { skills } from "../skills.js";
import { tasks } from "../tasks.js";
import { loadParts } from "./late-parts.js";

type Settings = Partial<ServerSettings<object, undefined>>;

const nothing = { type: "object", additionalProperties: false } as const;

function toolOf(members: object) {
  return defineTool<object, string, unknown>({
    definition: { name: "demo", inputSchema: nothing },
    validators: async () => ({ input: () => true }),
    handler: async () => () => "",
    ...members,
  });
}

async function definitionOf(settings: Settings): Promise<ServerDefinition> {
  const info = { name: "demo", version: "1.0.0" };
  const { definition } = defineServer({ info, transports: [stdio()], ...settings });
  return loadParts(definition);
}

/** The names of the parts that a server with these settings has, and one without them has not. */
async function partsFor(settings: Settings): Promise<readonly string[]> {
  const [without, having] = [await definitionOf({}), await definitionOf(settings)];
  return Object.entries(having)
    .filter(([name, part]) => part !== undefined && !(name in without) && !(name in settings))
    .map(([name]) => name)
    .sort();
}

const SCHEMA_WITH_HEADER = {
  ...nothing,
  properties: { region: { type: "string", "x-mcp-header": "Region" } },
} as const;

/** Parts that every server with the transport `http` has. */
const OF_HTTP = ["authInfoOf", "countRefusals", "createAccess", "createRequestData", "senderOf"];

const CASES: readonly [what: string, settings: Settings, parts: readonly string[]][] = [
  ["a tool without arguments", { tools: [toolOf({})] }, []],
  [
    "a number among arguments",
    {
      tools: [
        toolOf({
          definition: {
            name: "demo",
            inputSchema: { ...nothing, properties: { days: { type: "integer" } } },
          },
        }),
      ],
    },
    ["convertMessage", "exactNumbers", "prepareArguments"],
  ],
  [
    "a default",
    { tools: [toolOf({ defaults: { properties: { city: { value: "Rome" } } } })] },
    ["withDefaults"],
  ],
  ["a fixed answer", { tools: [toolOf({ handler: undefined })] }, ["renderFixed"]],
  [
    "an output schema",
    {
      tools: [
        toolOf({
          definition: { name: "demo", inputSchema: nothing, outputSchema: { type: "array" } },
        }),
      ],
    },
    ["legacyExceptions"],
  ],
  [
    "a resource",
    { resources: [defineResource({ definition: { uri: "x://a", name: "a" }, text: "a" })] },
    ["createPagedList", "createResources"],
  ],
  [
    "a template whose variables are completed",
    {
      resourceTemplates: [
        defineResourceTemplate<{ id: string }, unknown>({
          definition: { uriTemplate: "x://{id}", name: "a" },
          parts: [],
          complete: { id: ["1"] },
          handler: async () => () => "a",
        }),
      ],
    },
    ["createCompletion", "createPagedList", "createResources"],
  ],
  [
    "a prompt",
    { prompts: [definePrompt({ definition: { name: "a" }, messages: [] })] },
    ["createPrompts"],
  ],
  ["pages", { pageSize: 5 }, ["createPagedList"]],
  [
    "a variable",
    { env: [{ name: "A", type: "string", required: false, secret: false }] },
    ["checkEnvironment"],
  ],
  ["a task", { use: [tasks()], tools: [toolOf({ task: {} })] }, ["createTasks"]],
  ["tasks that no tool has", { use: [tasks()], tools: [toolOf({})] }, []],
  ["skills", { use: [skills([])] }, ["createResources", "skillFolders"]],
  ["callers with credentials", { auth: [] }, ["createVerification"]],
  ["http", { transports: [http()] }, OF_HTTP],
  [
    "http with pages for operators",
    { transports: [http({ metrics: "/metrics", ready: "/readyz" })] },
    [...OF_HTTP, "createMetrics", "metricsPage", "readyPage"],
  ],
  [
    "http with scopes",
    { transports: [http()], tools: [toolOf({ scopes: ["read"] })] },
    [...OF_HTTP, "createScopes", "guardMethods"],
  ],
  [
    "http with arguments in headers",
    {
      transports: [http()],
      tools: [toolOf({ definition: { name: "demo", inputSchema: SCHEMA_WITH_HEADER } })],
    },
    [...OF_HTTP, "compareHeaders", "repeatsArguments"],
  ],
];

for (const [what, settings, parts] of CASES) {
  test(`a server with ${what} loads the parts for it, and no others`, async () => {
    assert.equal(await partsFor(settings), [...parts].sort());
  });
}

test.run();
