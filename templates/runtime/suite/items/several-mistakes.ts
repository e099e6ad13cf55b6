import type { Json, JsonObject, ToolContract, ToolsContract } from "../contract.js";
import { expectEqual, expectThat, shown } from "../expectation.js";
import type { TestRegistry } from "../clients/probed-server.js";
import { isPlain, MOST_FINDINGS, type ValidatedTool, type Validator } from "./validators.js";

/**
 * Registers tests of compiled validators with a mistake in each of several arguments.
 * @param entries The server's own entries.
 */
export function testSeveralMistakes(
  test: TestRegistry,
  { tools, list }: ToolsContract,
  entries: readonly ValidatedTool[],
): void {
  for (const [index, tool] of tools.entries()) {
    const entry = entries.find(({ definition }) => definition.name === tool.name);
    const input = tool.inputSchema ?? ((list[index] ?? {})["inputSchema"] as JsonObject);
    if (entry === undefined) continue;
    test(`${tool.name} finds the mistakes of each argument`, async () =>
      expectEach(tool, input, (await entry.validators()).input));
  }
}

/** Combines the wrong values of different properties. */
function expectEach(
  { accepted, refused }: ToolContract,
  schema: JsonObject,
  validate: Validator,
): void {
  const wrong: Record<string, Json> = {};
  for (const { value, says = "" } of refused) {
    const [name, ...others] = namesBefore(says, value as JsonObject);
    // One name may be the beginning of another: `a` and `a.b`.
    if (name === undefined || others.length > 0 || Object.hasOwn(wrong, name)) continue;
    wrong[name] = (value as JsonObject)[name] ?? null;
  }
  const [first] = accepted;
  if (first === undefined || Object.keys(wrong).length === 0 || !isPlain(schema)) return;
  const value = { ...first.arguments, ...wrong };
  expectEqual(validate(value), false, `arguments ${shown(value)}: are valid`);
  const places = new Set(validate.errors?.map(({ instancePath }) => instancePath.split("/")[1]));
  for (const name of Object.keys(wrong).slice(0, MOST_FINDINGS / 2)) {
    expectThat(
      places.has(segment(name)),
      `arguments ${shown(value)}: expected a finding at ${name}`,
    );
  }
}

/** Encodes a name as a segment of a JSON pointer. */
function segment(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Returns the arguments that a message may be about. */
function namesBefore(says: string, values: JsonObject): string[] {
  return Object.keys(values).filter((name) => {
    const place = segment(name);
    return place !== "" && (says.startsWith(`${place}:`) || says.startsWith(`${place}.`));
  });
}
