import { test } from "uvu";
import * as assert from "uvu/assert";
import { asking } from "../asking.js";
import { filteredLists } from "../auth.js";
import { changes } from "../changes.js";
import { consent } from "../consent.js";
import type { ItemLists } from "../engine/item.js";
import { linkedAccounts } from "../linked-accounts.js";
import { resourceTools } from "../resource-tools.js";
import { restrict } from "../restrict.js";
import { toolSearch } from "../search.js";
import { stdio } from "../stdio.js";
import { tasks } from "../tasks.js";
import {
  createServer,
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineServer,
  defineTool,
  type ServerSettings,
} from "./define-server.js";
import { loadParts } from "./late-parts.js";

type Settings = Partial<ServerSettings<object, undefined>>;

const info = { name: "demo", version: "1.0.0" };
const handler = async () => () => "";

function toolWith(members: object) {
  return defineTool<object, string, unknown>({
    definition: { name: "demo", inputSchema: { type: "object", additionalProperties: false } },
    validators: async () => ({ input: () => true }),
    handler,
    ...members,
  });
}

function resourceWith(members: object) {
  return defineResource({ definition: { uri: "x://a", name: "a" }, text: "a", ...members });
}

function templateWith(members: object) {
  const definition = { uriTemplate: "x://{id}", name: "b" };
  return defineResourceTemplate({ definition, parts: [], handler, ...members });
}

function promptWith(members: object) {
  return definePrompt({ definition: { name: "c" }, messages: [], ...members });
}

function serverWith(settings: Settings) {
  return defineServer({ info, transports: [stdio()], ...settings });
}

/** What a server with these settings says when it is made; `none` if it has no objection. */
async function objectionTo(settings: Settings): Promise<string> {
  try {
    await loadParts(serverWith(settings).definition);
    return "none";
  } catch (error) {
    assert.instance(error, TypeError);
    return (error as Error).message;
  }
}

const search = { listed: [] };

/** Each setting of items that a part serves, with the item that has it and the part. */
const CASES: readonly [
  item: string,
  setting: string,
  items: Settings,
  part: string,
  use: object,
][] = [
  [
    "The tool demo",
    "asks",
    { tools: [toolWith({ asks: {} })] },
    "asking() of @mcpwright/runtime/asking",
    asking(),
  ],
  [
    "The tool demo",
    "confirm",
    { tools: [toolWith({ confirm: ["Really?"] })] },
    "consent() of @mcpwright/runtime/consent",
    consent(),
  ],
  [
    "The tool demo",
    "task",
    { tools: [toolWith({ task: {} })] },
    "tasks() of @mcpwright/runtime/tasks",
    tasks(),
  ],
  [
    "The tool demo",
    "search",
    { tools: [toolWith({ search: { heading: "", text: "" } })] },
    "toolSearch() of @mcpwright/runtime/search",
    toolSearch(search),
  ],
  [
    "The tool demo",
    "enabled",
    { tools: [toolWith({ enabled: false })] },
    "changes() of @mcpwright/runtime/changes",
    changes(),
  ],
  [
    "The resource a",
    "subscribe",
    { resources: [resourceWith({ subscribe: true })] },
    "changes() of @mcpwright/runtime/changes",
    changes(),
  ],
  [
    "The resource template b",
    "watch",
    { resourceTemplates: [templateWith({ watch: { root: "." } })] },
    "changes() of @mcpwright/runtime/changes",
    changes(),
  ],
  [
    "The prompt c",
    "confirm",
    { prompts: [promptWith({ confirm: ["Really?"] })] },
    "consent() of @mcpwright/runtime/consent",
    consent(),
  ],
];

for (const [item, setting, items, part, use] of CASES) {
  test(`${item} with ${setting} is refused without ${part}, and not with it`, async () => {
    assert.is(
      await objectionTo(items),
      `${item} has "${setting}", so that "use" of defineServer must have ${part}.`,
    );
    assert.is(await objectionTo({ ...items, use: [use as never] }), "none");
  });
}

test("a part is not taken for another part that runs handlers in the same way", async () => {
  const tools = [toolWith({ confirm: ["Really?"] })];
  assert.match(await objectionTo({ tools, use: [asking()] }), "consent()");
  assert.match(await objectionTo({ tools, use: [asking(), linkedAccounts()] }), "consent()");
  assert.is(await objectionTo({ tools, use: [asking(), consent(), tasks()] }), "none");
});

test("settings that switch nothing on need no part", async () => {
  const items: Settings = {
    tools: [toolWith({ confirm: undefined, task: undefined, enabled: undefined })],
    resources: [resourceWith({ subscribe: false })],
  };
  assert.is(await objectionTo(items), "none");
});

test("a tool that operators have left out at the start needs its part, too", async () => {
  const whole: ItemLists = { tools: [toolWith({ confirm: ["Really?"] })] };
  const { definition } = serverWith({});
  const message = await loadParts({ ...definition, whole }).then(
    () => "none",
    (error: Error) => error.message,
  );
  assert.match(message, "consent()");
});

test("an item that was not made by its function, and so brings no parts, is refused", async () => {
  const { lateParts: _resources, ...resource } = resourceWith({});
  const { lateParts: _templates, ...template } = templateWith({});
  const { lateParts: _prompts, ...prompt } = promptWith({});
  const messages = [
    await objectionTo({ resources: [resource] }),
    await objectionTo({ resourceTemplates: [template] }),
    await objectionTo({ prompts: [prompt] }),
  ];
  assert.equal(messages, [
    "The resource a must be made by defineResource.",
    "The resource template b must be made by defineResourceTemplate.",
    "The prompt c must be made by definePrompt.",
  ]);
});

test("a server in process is refused, too", async () => {
  const server = serverWith({ tools: [toolWith({ confirm: ["Really?"] })] });
  const made = await createServer(server).then(
    () => "made",
    (error: Error) => error.message,
  );
  assert.match(made, 'The tool demo has "confirm"');
});

/** Parts of which the second builds on the first, whose work would be lost in the other order. */
const ORDERS: readonly [first: string, second: string, parts: Settings["use"]][] = [
  ["asking()", "consent()", [asking(), consent()]],
  ["asking()", "linkedAccounts()", [asking(), linkedAccounts()]],
  ["linkedAccounts()", "consent()", [linkedAccounts(), consent()]],
  ["toolSearch()", "resourceTools()", [toolSearch(search), resourceTools()]],
  ["toolSearch()", "linkedAccounts()", [toolSearch(search), linkedAccounts()]],
  ["filteredLists()", "restrict()", [filteredLists(), restrict({ readOnly: { scope: "read" } })]],
];

for (const [first, second, parts = []] of ORDERS) {
  test(`${second} before ${first} is refused`, () => {
    assert.not.throws(() => serverWith({ use: parts }));
    assert.throws(
      () => serverWith({ use: [...parts].reverse() }),
      (error: Error) =>
        error instanceof TypeError &&
        error.message.startsWith(`In "use" of defineServer, ${first} must stand before `) &&
        error.message.includes(second),
    );
  });
}

test.run();
