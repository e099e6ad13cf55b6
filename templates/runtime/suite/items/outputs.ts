import type { Json, JsonObject, SchemaValues, ToolsContract } from "../contract.js";
import { ProbedServer, type CreateServer, type TestRegistry } from "../clients/probed-server.js";
import { expectEqual, expectParts, expectThat, shown } from "../expectation.js";
import { hasWords } from "./tools.js";

/** A compiled validator of results. */
type Validator = (value: unknown) => boolean;

/** The part of a tool's entry about its results. */
interface ValidatedTool {
  readonly definition: { readonly name: string };
  readonly validators: () =>
    { readonly output?: Validator } | Promise<{ readonly output?: Validator }>;
}

/** Matches keywords that require more of an object than the schemas of its properties. */
const DEPENDING =
  /"(?:\w+Properties|propertyNames|dependent\w+|dependencies|not|if|anyOf|oneOf|const)":(?!false)/;

/**
 * Registers the tests of the results of tools that have an output schema.
 * @param entries The server's own entries.
 */
export function testOutputs(
  test: TestRegistry,
  { tools, list }: ToolsContract,
  createServer: CreateServer,
  entries: readonly ValidatedTool[],
): void {
  const server = new ProbedServer(createServer);
  test.after(() => server.close());
  for (const [index, tool] of tools.entries()) {
    const { name, output, fixed, accepted } = tool;
    const entry = entries.find(({ definition }) => definition.name === name);
    if (output === undefined || entry === undefined) continue;
    const [call] = accepted;
    if (fixed === undefined && call !== undefined) {
      test(`${name} sends nothing that breaks its output schema`, async () => {
        server.enable("tools", [tool]);
        await expectChecked({ name, arguments: call.arguments }, output, server);
      });
    }
    if (DEPENDING.test(JSON.stringify(list[index]?.["outputSchema"]))) continue;
    test(`${name} takes a property that is undefined for a missing one`, async () => {
      const { output: validate } = await entry.validators();
      if (validate === undefined) throw new Error(`${name} has no validator for its results`);
      output.accepted.forEach((value) => expectUndefinedMissing(value, validate));
    });
  }
}

/** Returns the schema for clients of the older eras, whose results must be objects: the SDK wraps all others. */
export function withoutWrappedSchema(item: JsonObject): JsonObject {
  const { outputSchema, ...rest } = item;
  const { type, required } = (outputSchema ?? {}) as JsonObject;
  const isWrapped = type !== "object" || (Array.isArray(required) && required[0] === "result");
  return isWrapped ? rest : item;
}

async function expectChecked(
  call: JsonObject,
  output: SchemaValues,
  server: ProbedServer,
): Promise<void> {
  for (const value of output.accepted) {
    server.returned = value;
    const result = await server.request("tools/call", call);
    expectParts(result, { structuredContent: value }, `result ${shown(value)}`);
  }
  for (const { value, says = "", breaks = says } of output.refused) {
    server.returned = value;
    const result = await server.request("tools/call", call);
    const what = `result ${shown(value)} (${breaks})`;
    expectEqual(result["isError"], true, what);
    expectThat(!("structuredContent" in result), `${what}: it was sent`);
    const log = server.logged.join("\n");
    expectThat(hasWords(log, says), `${what}: expected the log to say ${says}, got ${log}`);
  }
}

/** Checks that a member which JSON omits counts as missing. */
function expectUndefinedMissing(whole: Json, validate: Validator): void {
  for (const copy of [...copiesWithoutProperty(whole)].slice(0, 50)) {
    const sent = JSON.parse(JSON.stringify(copy)) as Json;
    const isSentValid = validate(sent);
    const what = `a result that is sent as ${shown(sent)}: is valid before it is sent`;
    expectEqual(validate(copy), isSentValid, what);
  }
}

/** Returns a copy of a value for each of its properties, in which that property is undefined. */
function* copiesWithoutProperty(value: Json): Generator<unknown> {
  if (typeof value !== "object" || value === null) return;
  const isList = Array.isArray(value);
  for (const [name, member] of Object.entries(value)) {
    const replace = (inside: unknown): unknown =>
      isList
        ? value.map((item, index) => (String(index) === name ? inside : item))
        : { ...value, [name]: inside };
    if (!isList) yield replace(undefined);
    for (const inside of copiesWithoutProperty(member)) yield replace(inside);
  }
}
