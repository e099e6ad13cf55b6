import { test } from "uvu";
import * as assert from "uvu/assert";
import {
  joinContract,
  type JsonObject,
  type ToolContract,
} from "../../../templates/runtime/suite/contract.js";
import type { ServerModel } from "../../model/server-model.js";
import { normalize } from "../../3-normalize/normalize.js";
import { assertGoldenFiles } from "../../testing/harness/runner/golden-files.js";
import { weatherModel } from "../../testing/harness/projects/weather-model.js";
import { handlerModule } from "../modules/handler-files.js";
import { toolModule } from "../modules/tool-module.js";
import { emitSharedTypes } from "../types/emit-types.js";
import { createTypeScriptPrinter } from "../typescript-printer.js";
import { contractFiles } from "./contract-files.js";
import { emitContractTests } from "./emit-contract-tests.js";
import { emitStarterTests } from "./starter-tests.js";
import { wrongArguments, wrongResult } from "./refused-values.js";
import { toolContract } from "./tool-contracts.js";

const fixtures = new URL("../../../../generator/5-emit/contract-tests/fixtures/", import.meta.url);

test("the contract tests and starter tests of a server with all features are the expected ones", async () => {
  const printer = createTypeScriptPrinter();
  const [contracts, starters] = await Promise.all([
    emitContractTests(weatherModel, printer),
    emitStarterTests(weatherModel, printer),
  ]);
  // The values in the contracts of tools come from schema/instances, which has tests of its own.
  const stable = contracts.filter(({ path }) => !path.includes("/contracts/tools/"));
  await assertGoldenFiles(new URL("weather/", fixtures), [...stable, ...starters]);
  assert.is(stable.length, contracts.length - weatherModel.tools.length);
});

test("reading the files of a contract gives the contract again", async () => {
  await assertJoined(weatherModel);
});

async function assertJoined(model: ServerModel): Promise<void> {
  const contracts = await emitContractTests(model, createTypeScriptPrinter());
  const joined = await joinContract("tools", (file) => {
    const path = `test/generated/contracts/${file}.json`;
    return JSON.parse(contracts.find((one) => one.path === path)?.content ?? "null") as JsonObject;
  });
  const list = model.tools.map(({ wire }) => wire);
  const tools = toolContracts(model);
  const withDefinitions = tools.map((tool, index) => ({ definition: list[index], ...tool }));
  assert.equal(joined, { settings: {}, list, tools: withDefinitions });
  // The order of members is that in which clients get them.
  assert.is(JSON.stringify(joined.list), JSON.stringify(list));
}

test("a shared schema is in one file, from which the contracts of tools get it", async () => {
  const Place = { type: "object", properties: { kind: { enum: ["city"] }, of: { $ref: "#" } } };
  const withPlace = (name: string, others: object = {}) => ({
    ...{ name, description: "Finds.", outputSchema: { $ref: "#/schemas/Place" } },
    inputSchema: {
      type: "object",
      properties: { place: { $ref: "#/schemas/Place" }, $defs: { type: "string" } },
      ...others,
    },
  });
  const draft = { $schema: "http://json-schema.org/draft-07/schema#" };
  const own = { $defs: { Own: { description: "schema-definitions.json" } } };
  const tools = [
    ...[withPlace("one"), withPlace("two"), withPlace("older", draft), withPlace("own", own)],
    { ...withPlace("flat"), inputSchema: { anyOf: [{ $ref: "#/schemas/Place" }] } },
  ];
  const model = normalize({ name: "demo", version: "1.0.0", schemas: { Place }, tools });
  await assertJoined(model);
  const files = await emitContractTests(model, createTypeScriptPrinter());
  const textOf = (name: string) =>
    files.find(({ path }) => path === `test/generated/contracts/${name}.json`)?.content ?? "";
  assert.match(textOf("schema-definitions"), '"city"');
  for (const name of ["one", "two"]) {
    const found = textOf(`tools/${name}`).match(
      /"\$defs": \{ "Place": "schema-definitions.json" \}/g,
    );
    assert.is(found?.length, 2, name);
  }
});

test("what a shared schema refuses is in its own contract, once for all tools that use it", async () => {
  const schemas = {
    Colour: { enum: ["red", "blue"] },
    Place: {
      type: "object",
      properties: {
        name: { type: "string", maxLength: 80 },
        colour: { $ref: "#/schemas/Colour" },
        notes: { $ref: "#/schemas/Anything" },
        former: { $ref: "#/schemas/Nothing" },
      },
      required: ["name"],
    },
    Anything: true,
    Nothing: false,
    Unused: { type: "string" },
  };
  const tool = (name: string) => ({
    ...{ name, description: "Does it." },
    inputSchema: { type: "object", properties: { place: { $ref: "#/schemas/Place" } } },
  });
  const draft = { $schema: "http://json-schema.org/draft-07/schema#" };
  const older = { ...tool("older"), inputSchema: { ...draft, ...tool("older").inputSchema } };
  const filesOf = async (...tools: object[]): Promise<ReadonlyMap<string, string>> => {
    const model = normalize({ name: "demo", version: "1.0.0", schemas, tools } as never);
    const files = await emitContractTests(model, createTypeScriptPrinter());
    return new Map(
      files.map(({ path, content }) => [path.split("/contracts/")[1] ?? path, content]),
    );
  };
  const files = await filesOf(tool("one"), tool("two"), older);
  const { schemas: contracts } = await joinContract(
    "schemas",
    (name) => JSON.parse(files.get(`${name}.json`) ?? "null") as JsonObject,
  );
  assert.equal(
    contracts.map(({ name }) => name),
    ["Colour", "Place"],
  );
  const [, place] = contracts;
  const said = place?.values.refused.map(({ says, keyword }) => `${says} (${keyword})`);
  assert.equal(
    [...new Set(said)],
    [
      "/: must be object (type)",
      "/: must have required property 'name' (required)",
      "/name: must be string (type)",
      "/name: must NOT have more than 80 characters (maxLength)",
      "/colour: must be equal to one of the allowed values (enum)",
    ],
  );
  assert.equal([place?.name, place?.module, place?.exported], ["Place", "place", ["input"]]);
  for (const name of ["one", "two"]) {
    assert.not.match(
      files.get(`tools/${name}.json`) ?? "",
      "must NOT have more than 80 characters",
    );
    assert.match(files.get(`tools/${name}.json`) ?? "", "place: must be object");
  }
  // Documents of draft-07 have functions of their own.
  assert.match(files.get("tools/older.json") ?? "", "must NOT have more than 80 characters");
  const fewer = await filesOf(tool("two"), older);
  for (const name of ["schemas.json", "tools/two.json"]) {
    assert.is(files.get(name), fewer.get(name), `${name} does not depend on other tools`);
  }
});

test("where many constraints have no test for the same reason, a contract names only a few", () => {
  const names = Array.from({ length: 8 }, (_, index) => `colour${index + 1}`);
  const colour = () => ({ type: "string", enum: ["red", "blue"] });
  const untestedOf = (count: number): readonly string[] => {
    const properties = Object.fromEntries(names.slice(0, count).map((name) => [name, colour()]));
    const inputSchema = { type: "object", properties };
    const tools = [{ name: "paint", description: "Paints.", inputSchema }];
    const model = normalize({ name: "demo", version: "1.0.0", tools });
    return toolContracts(model)[0]!.untested ?? [];
  };
  const reason = "`enum` or `const` refuses every such value too";
  const lines = names.map((name) => `input /properties/${name}/type: ${reason}`);
  assert.equal(untestedOf(5), lines.slice(0, 5));
  assert.equal(untestedOf(8), [...lines.slice(0, 5), `input, 3 more: ${reason}`]);
});

test("a change of one tool changes only the contract of this tool", async () => {
  const tool = (name: string, days: number) => ({
    name,
    description: "Does it.",
    inputSchema: { type: "object", properties: { days: { type: "integer", maximum: days } } },
  });
  const contractsOf = async (days: number): Promise<Map<string, string>> => {
    const tools = [tool("first", 1), tool("second", days), tool("third", 1)];
    const model = normalize({ name: "demo", version: "1.0.0", tools });
    const files = await emitContractTests(model, createTypeScriptPrinter());
    return new Map(files.map(({ path, content }) => [path, content]));
  };
  const [before, after] = [await contractsOf(7), await contractsOf(8)];
  const changed = [...after.keys()].filter((path) => before.get(path) !== after.get(path));
  assert.equal(changed, ["test/generated/contracts/tools/second.json"]);
});

test("code that completes or lists has starter tests of its own", async () => {
  const printer = createTypeScriptPrinter();
  const [template] = weatherModel.resourceTemplates;
  const complete = "code" as const;
  const variables = [...template!.variables, { ...template!.variables[0]!, name: "order-id" }].map(
    (one) => ({ ...one, complete }),
  );
  const listing = { ...template!, variables, list: "code" as const };
  const starters = await emitStarterTests(
    { ...weatherModel, resourceTemplates: [listing], prompts: [] },
    printer,
  );
  const textOf = (path: string): string => {
    const found = starters.find((one) => one.path === `test/resources/${path}.test.ts`);
    assert.ok(found, path);
    return found.content;
  };
  const completion = textOf(`${listing.fileName}.complete`);
  for (const { name } of variables) {
    const member = name === "order-id" ? `["${name}"]` : `.${name}`;
    assert.match(completion, `Completion${member}({ value: "", given: {} }`);
  }
  assert.match(textOf(`${listing.fileName}.list`), "Instances(createTestContext())");
  const ids = starters.map(({ item }) => item);
  assert.ok(ids.includes(`resourceTemplateList:${listing.name}`));
});

test("a mock has the answer of each example, for the first example with these arguments", async () => {
  const example = (days: number | undefined, text: string) => ({
    arguments: days === undefined ? {} : { days },
    text,
  });
  const days = { type: "integer" as const, default: 3, description: "x" };
  const inputSchema = {
    type: "object" as const,
    properties: { days },
    additionalProperties: false,
  };
  const examples = [
    { arguments: { days: 9 }, error: "too far" },
    example(1, "one"),
    example(undefined, "three"),
    example(3, "three again"),
    example(1, "one again"),
  ];
  const model = normalize({
    name: "demo",
    version: "1.0.0",
    tools: [{ name: "a", description: "x", inputSchema, examples }],
  });
  const [tool] = toolContracts(model);
  const textsOf = (answer: object | undefined) => JSON.stringify(answer ?? null);
  assert.match(textsOf(tool?.mock), '"one"');
  const answers = tool?.accepted.slice(0, 4).map(({ mock }) => textsOf(mock)) ?? [];
  assert.equal(
    answers.map((answer) => /"text":"([^"]+)"/.exec(answer)?.[1]),
    [undefined, "three", "three", undefined],
  );
  const printer = createTypeScriptPrinter();
  const { statements } = toolModule(model.tools[0]!, model, emitSharedTypes([]));
  const module = (await printer.print(statements)).replace(/\s+/g, " ");
  assert.match(
    module,
    /mocks: \[ ?\{ arguments: \{ days: 9 \}, answer: \{ kind: "error", error: "too far" \}/,
  );
  assert.match(module, /\{ arguments: \{ days: 3 \}, answer: \{ kind: "text", text: "three" \}/);
  assert.not.match(module, / again"/);
});

test("a starter test has the same layout whether it is printed or filled in from a template", async () => {
  const printer = createTypeScriptPrinter();
  const { format } = await import("prettier");
  const [tool] = weatherModel.tools;
  const inputs = [
    "a",
    "b".repeat(80),
    'say "x"',
    "1e+21",
    { $: [1e21, null, { "a-b": "\u202e" }] },
  ];
  const tools = inputs.map((input, index) => ({
    ...tool!,
    fileName: `file-${index}`,
    examples: [{ name: "", arguments: { input }, expect: { kind: "text" as const, text: "" } }],
  }));
  const starters = await emitStarterTests({ ...weatherModel, tools }, printer);
  for (const { content, path } of starters) {
    const formatted = await format(content, { parser: "typescript", printWidth: 100 });
    assert.is(content, formatted, path);
  }
});

test("starter tests have simple values and an answer to each question", async () => {
  const requestedSchema = {
    type: "object",
    properties: { ok: { type: "boolean" } },
    required: ["ok"],
  };
  const model = normalize({
    name: "demo",
    version: "1.0.0",
    tools: [
      {
        name: "wipe",
        description: "Wipes.",
        elicitations: { sure: { message: "Sure?", requestedSchema } },
        uses: ["sampling"],
      },
    ],
    prompts: [
      {
        name: "greet",
        description: "Greets.",
        arguments: [{ name: "who" }, { name: "tone", complete: ["warm"] }],
      },
    ],
    resourceTemplates: [{ name: "file", uriTemplate: "x://{space}{/path*}" }],
  });
  const starters = await emitStarterTests(model, createTypeScriptPrinter());
  const [tool = "", template = "", prompt = ""] = starters.map(({ content }) =>
    content.replace(/\s+/g, " "),
  );
  assert.match(tool, 'answers: { elicit: { sure: { ok: true } }, sample: "What the model says" }');
  assert.match(template, '{ space: "space", path: ["path"] }');
  assert.match(prompt, '{ who: "who", tone: "warm" }');
});

test("the tests of a server without items are about its transports and the test context only", async () => {
  const empty: ServerModel = {
    name: "empty",
    version: "0.1.0",
    protocol: { legacy: "serve" },
    transports: [{ type: "stdio" }],
    env: [],
    sharedSchemas: [],
    tools: [],
    resources: [],
    resourceTemplates: [],
    prompts: [],
  };
  const files = await emitContractTests(empty, createTypeScriptPrinter());
  assert.equal(
    files.map(({ path }) => path),
    [
      "test/generated/contracts/server.json",
      "test/generated/server.test.ts",
      "test/generated/testing.ts",
    ],
  );
});

test("the contract of a server has a line for each value of an item, and other members on one line where they fit", () => {
  const [server] = contractFiles(weatherModel);
  assert.match(server?.content ?? "", '\n    { "type": "stdio" },\n');
  const [tool] = weatherModel.tools;
  assert.match(server?.content ?? "", `\n        "tools": [\n          "${handlerModule(tool!)}"`);
  assert.match(server?.content ?? "", '\n    { "method": "tools/list", "key": "tools" }\n    ,\n');
});

/** As the suite reads them. */
function toolContracts(model: ServerModel): readonly ToolContract[] {
  const contracts = model.tools.map((tool) => toolContract(tool, model));
  return JSON.parse(JSON.stringify(contracts)) as ToolContract[];
}

test("the contract of a tool with a handler has accepted and refused calls", () => {
  const [contract] = toolContracts(weatherModel);
  assert.is(contract?.stub, "Not implemented yet: write it in src/tools/get-forecast.ts");
  // The first example says all; of the values made from the schema, the smallest leaves out `days`.
  assert.equal(contract?.accepted[0], { arguments: { city: "Berlin", days: 1 } });
  const filled = contract?.accepted.find(({ arguments: values }) => !("days" in values));
  assert.is(filled?.received?.["days"], 3);
});

test("a contract has a value that breaks each constraint of its schemas, with the expected message", () => {
  const [contract] = toolContracts(weatherModel);
  assert.ok(contract !== undefined);
  const { refused, output } = contract;
  for (const message of ["city: must be string", "days: must be >= 1", "days: must be <= 14"]) {
    assert.ok(
      refused.some(({ says }) => says === message),
      message,
    );
  }
  assert.ok(output?.refused.some(({ says }) => says?.startsWith("required property '") === true));
});

test("a wrong argument is reported to the caller with its path, and a wrong result in the log", () => {
  const message = "must be equal to one of the allowed values";
  const finding = { keyword: "enum", message, params: { allowedValues: ["C", "F"] } };
  const broken = (instancePath: string, params: JsonObject = finding.params) => ({
    constraint: "/properties/a~1b/enum",
    value: { "a/b": "x" },
    finding: { ...finding, instancePath, params },
  });
  assert.is(wrongArguments(broken("/a~1b")).says, `a~1b: ${message} ["C","F"]`);
  // What is too long or unusual is cut on its way out.
  const long = { allowedValues: ["x".repeat(200)] };
  assert.is(wrongArguments(broken("/a~1b", long)).says, `a~1b: ${message}`);
  assert.equal(wrongArguments(broken("/é")), {
    value: { "a/b": "x" },
    breaks: "/properties/a~1b/enum",
  });
  assert.is(wrongResult(broken("/0/a")).says, "/0/a: enum");
  assert.is(wrongResult(broken("")).says, "/: enum");
  assert.is(wrongResult(broken('/q"')).says, undefined);
});

test("no call of a contract has a name that the runtime refuses before it checks the schema", () => {
  const properties = { b: { type: "string" } };
  const member = { type: "object", properties, required: ["__proto__"] };
  const inputSchema = { type: "object", properties: { ...properties, member } };
  const tool = { name: "tool", description: "x", inputSchema };
  const model = normalize({ name: "demo", version: "1.0.0", tools: [tool] });
  const [contract] = toolContracts(model);
  const { accepted = [], refused = [] } = contract ?? {};
  assert.ok(accepted.length > 0);
  assert.not.match(JSON.stringify([accepted, refused]), '"__proto__":');
});

test("the examples of a tool become expected answers in its contract", () => {
  const [contract] = toolContracts(weatherModel);
  assert.equal(
    contract?.examples.map(({ answer }) => answer),
    [
      { structuredContent: { city: "Berlin", days: [{ date: "2026-11-20", high: 7 }] } },
      { content: [{ type: "text", text: "No forecast for Atlantis" }], isError: true },
    ],
  );
});

test("the contract of a tool with a fixed answer expects this answer", () => {
  const [, contract] = toolContracts(weatherModel);
  assert.is(contract?.stub, undefined);
  for (const { arguments: values, answer } of contract?.accepted ?? []) {
    const text = "name" in values ? `Hello ${String(values["name"])}!` : "Hello!";
    assert.equal(answer, { content: [{ type: "text", text }] });
  }
  assert.ok(contract?.accepted.some(({ arguments: values }) => "name" in values));
});

test("a contract says why an example is not called or not sent, and which arguments exceed the limits", () => {
  const inputSchema = { type: "object", properties: { a: {}, b: {} } };
  const example = { name: "one", arguments: { a: 1 }, text: "x" };
  const tool = { description: "x", inputSchema, examples: [example] };
  const readOnly = { ...tool, annotations: { readOnlyHint: true } };
  const long = { ...example, name: "two", arguments: { a: 1, b: [1, 2] } };
  const asking = { ...readOnly, http: { upstream: "api", path: "/" } };
  const running = { ...readOnly, exec: { command: ["ls"] } };
  const model = normalize({
    ...{ name: "demo", version: "1.0.0", limits: { elements: 3 } },
    upstreams: { api: { baseUrl: "https://api.example" } },
    tools: [
      { ...readOnly, name: "read" },
      { ...tool, name: "write" },
      { ...readOnly, name: "hidden", enabled: false },
      { ...readOnly, name: "limited", examples: [long] },
      { ...asking, name: "alone" },
      { ...asking, name: "answered", examples: [{ ...example, http: { text: "x" } }] },
      { ...running, name: "program" },
      { ...running, name: "printed", examples: [{ ...example, exec: { stdout: "x" } }] },
    ],
  });
  const contracts = toolContracts(model);
  assert.equal(
    contracts.map(({ examples: [first] }) => first?.whyNotCalled?.split(";")[0]),
    [
      ...[undefined, "the tool is not read-only", "the tool is switched off", undefined],
      "no test sends a request to the upstream itself",
      "another test calls it with an upstream that stands in for its own",
      "no test runs the program itself",
      "another test calls it with a program that stands in for its own",
    ],
  );
  const limited = contracts[3]!;
  assert.match(limited.examples[0]?.whyNotSent ?? "", /^it is beyond the limits/);
  assert.equal(limited.tooMuch?.[0], long.arguments);
  assert.not.ok(limited.accepted.some((call) => JSON.stringify(call.arguments).includes("[1,2]")));
});

test.run();
