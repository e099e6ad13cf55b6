import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { ServerDefinition } from "../engine/definition.js";
import { NotImplementedError } from "../engine/errors.js";
import type { Validator } from "../engine/item.js";
import { createResources } from "../resources/resources.js";
import { CollectedTests } from "../samples/collected-tests.js";
import {
  addTool,
  contractedServer,
  hasNumber,
  hasNumberAt,
  isNumber,
  probeMe,
  promptsContract,
  resetTool,
  resourcesContract,
  toolsContract,
  validator,
} from "../samples/contract.js";
import { withSkills } from "../skills/skills.js";
import type { ToolEntry } from "../tools/definition.js";
import type { CreateServer } from "./clients/probed-server.js";
import { testedProject } from "./contract.js";
import { testArgumentLimits } from "./items/argument-limits.js";
import { testChanges } from "./items/changes.js";
import { testMockTexts } from "./items/mock-texts.js";
import { testOutputs, withoutWrappedSchema } from "./items/outputs.js";
import { testPrompts } from "./items/prompts.js";
import { testResources } from "./items/resources.js";
import { testTools } from "./items/tools.js";
import { serverMaker } from "./server-maker.js";

/** Runs the suites of generated projects against a right server and wrong ones. */

async function failuresOf(changes: Partial<ServerDefinition>): Promise<string[]> {
  const collected = new CollectedTests();
  const create = serverMaker({ ...contractedServer, ...changes }, ".") as CreateServer;
  const stubError = new NotImplementedError("src/add.ts");
  testTools(collected.registry, toolsContract, create, stubError, withoutWrappedSchema);
  const { tools } = { ...contractedServer, ...changes };
  testOutputs(collected.registry, toolsContract, create, tools);
  const project = testedProject(import.meta.url);
  testResources(collected.registry, { ...resourcesContract, project }, create);
  testPrompts(collected.registry, promptsContract, create);
  testMockTexts(
    collected.registry,
    { ...resourcesContract, ...promptsContract },
    create,
    stubError,
  );
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

test("a server that lists instances of a template and texts of skills passes", async () => {
  const root = await mkdtemp(join(tmpdir(), "mcpwright-skills-"));
  try {
    await mkdir(join(root, "docs/review"), { recursive: true });
    const text = "---\nname: review\ndescription: Reviews a change.\n---\n";
    await writeFile(join(root, "docs/review/SKILL.md"), text);
    const folder = { template: "docs", root: "docs" };
    const definition = { uriTemplate: "skill://docs/{+path}", name: "docs" };
    const { resourceTemplates } = contractedServer;
    const server: ServerDefinition = {
      ...contractedServer,
      skillFolders: [folder],
      resourceTemplates: [
        ...resourceTemplates,
        { definition, parts: [{ kind: "literal", text: "skill://docs/" }], handler: () => probeMe },
      ],
      createResources: withSkills(createResources),
    };
    const collected = new CollectedTests();
    const contract = {
      ...resourcesContract,
      templateList: [...resourcesContract.templateList, definition],
      skills: [folder],
    };
    const project = testedProject(import.meta.url);
    const create = serverMaker(server, root) as CreateServer;
    testResources(collected.registry, { ...contract, project }, create);
    assert.equal(await collected.failures(), []);
  } finally {
    await rm(root, { recursive: true });
  }
});

test("each wrong table makes a test fail", async () => {
  const [resource, more] = contractedServer.resources;
  const [template] = contractedServer.resourceTemplates;
  const [prompt] = contractedServer.prompts;
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
    "another error of an example in mock mode": withTool({
      mocks: addTool.mocks?.map(({ arguments: values, answer }) => ({
        arguments: values,
        answer: answer.kind === "error" ? { ...answer, error: "too little" } : answer,
      })) as NonNullable<ToolEntry["mocks"]>,
    }),
    "no mock of another example": withTool({
      mocks: [],
    }),
    "another mock answer of a template": {
      resourceTemplates: [{ ...template, mock: "Another." }],
    },
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
    const collected = new CollectedTests();
    const create = serverMaker({ ...contractedServer, ...changes }, ".") as CreateServer;
    testArgumentLimits(collected.registry, contract, create);
    return (await collected.failures()).map((failure) => failure.split(":")[0]!);
  };
  assert.equal(await failures({ limits }), []);
  assert.equal(await failures({}), ["add refuses arguments beyond the server's limits"]);
});

test("what a failing test says is safe for a terminal", async () => {
  const [resource, more] = contractedServer.resources;
  const text = "\u001b]0;pwn\u0007\u202E";
  const [failure = ""] = await failuresOf({
    resources: [{ ...resource!, text }, more!],
  });
  assert.match(failure, 'at /0: expected "help", got "\\u001b]0;pwn\\u0007\\u202e"');
  assert.not.match(failure, /[\u0000-\u001f\u202e]/);
});

test.run();
