import type { JsonObject, ToolContract, ToolsContract } from "../contract.js";
import { expectEqual, expectThat, shown } from "../expectation.js";
import type { TestRegistry } from "../clients/probed-server.js";

/** The part of a compiled validator that the suite uses. */
export interface Validator {
  (value: unknown): boolean;
  errors?: readonly { readonly instancePath: string; readonly message?: string }[] | null;
}

interface Validators {
  readonly input: Validator;
}

/** The part of a tool's entry about its schemas. */
export interface ValidatedTool {
  readonly definition: { readonly name: string };
  readonly validators: () => Validators | Promise<Validators>;
}

/** The largest bound that is tried, since larger ones take too long. */
const LONGEST = 1_000_000;

/** Most issues that a validator reports. Hostile arguments could have one for each value. */
export const MOST_FINDINGS = 20;

/**
 * Registers the tests that call the compiled validators of tools without the protocol. Arguments must be an object,
 * the number of findings is limited, and texts and lists may be as long as their bounds.
 * @param entries The server's own entries of its tools.
 */
export function testValidators(
  test: TestRegistry,
  { tools, list }: ToolsContract,
  entries: readonly ValidatedTool[],
): void {
  for (const [index, tool] of tools.entries()) {
    const { name } = tool;
    const entry = entries.find(({ definition }) => definition.name === name);
    if (entry === undefined) continue;
    const inputOf = async (): Promise<Validator> => (await entry.validators()).input;
    const schemas = list[index] ?? {};
    const input = tool.inputSchema ?? (schemas["inputSchema"] as JsonObject);
    test(`${name} takes only objects for arguments`, async () => expectObjects(await inputOf()));
    test(`${name} finds several mistakes, but no endless list of them`, async () =>
      expectCappedFindings(tool, input, await inputOf()));
    test(`${name} takes texts and lists up to their bounds, however long`, async () =>
      expectBounds(tool, input, await inputOf()));
  }
}

/** Keywords that apply further schemas to the arguments, so that there may be more findings, or others. */
const COMBINING = [
  "$ref",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "dependentSchemas",
  "dependencies",
];

/** Whether a schema has none of the {@link COMBINING} keywords. */
export const isPlain = (schema: JsonObject): boolean =>
  COMBINING.every((keyword) => !Object.hasOwn(schema, keyword));

function expectObjects(validate: Validator): void {
  for (const value of [null, [], "text", 5]) {
    expectEqual(validate(value), false, `arguments ${shown(value)}: are valid`);
    const isReported = validate.errors?.some(
      ({ instancePath, message }) => instancePath === "" && message === "must be object",
    );
    expectThat(
      isReported === true,
      `arguments ${shown(value)}: expected that they must be an object`,
    );
  }
}

function expectCappedFindings(
  { accepted }: ToolContract,
  schema: JsonObject,
  validate: Validator,
): void {
  const names = Array.from({ length: 3 * MOST_FINDINGS }, (_, index) => `unexpected ${index}`);
  const value = {
    ...accepted[0]?.arguments,
    ...Object.fromEntries(names.map((name) => [name, 1])),
  };
  const count = validate(value) ? 0 : (validate.errors?.length ?? 0);
  const isClosed = schema["additionalProperties"] === false && !("patternProperties" in schema);
  if (isClosed && isPlain(schema))
    expectEqual(count, MOST_FINDINGS, "findings about unexpected properties");
  expectThat(count <= MOST_FINDINGS, `expected at most ${MOST_FINDINGS} findings, got ${count}`);
}

/**
 * Expects that texts and lists may be as long as their bounds, and not longer. The contract has no such values, since
 * they may be very long.
 */
function expectBounds({ accepted }: ToolContract, schema: JsonObject, validate: Validator): void {
  const [first] = accepted;
  if (first === undefined) return;
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, JsonObject>>;
  for (const [name, property] of Object.entries(properties)) {
    const { type, maxLength, maxItems, $ref } = property;
    const isText = type === "string" && typeof maxLength === "number";
    const most = isText ? maxLength : type === "array" ? maxItems : undefined;
    if (typeof most !== "number" || most > LONGEST) continue;
    // In draft-07, keywords beside a reference have no effect.
    if ($ref !== undefined || "$ref" in schema || /[~/]/.test(name)) continue;
    const isTooLong = (length: number): boolean => {
      const value = isText ? "x".repeat(length) : Array.from({ length }, () => null);
      validate({ ...first.arguments, [name]: value });
      const message = `must NOT have more than ${most} ${isText ? "characters" : "items"}`;
      const found = validate.errors?.filter((issue) => issue.instancePath === `/${name}`);
      return found?.some((issue) => issue.message === message) ?? false;
    };
    expectEqual(
      [isTooLong(most), isTooLong(most + 1)],
      [false, true],
      `${name} at its bound of ${most}`,
    );
  }
}
