import type { Validator } from "../../../../templates/runtime/engine/item.js";
import { loadManifest } from "../../../1-load/load.js";
import { checkSchemas } from "../../../2-validate/schema-rules/check-schemas.js";
import { accepts, interpret } from "../../../schema/interpret.js";
import { reportedFindings } from "../../../schema/reported-findings.js";
import { circularReference } from "../../../model/catalogue/schema.js";
import type { JsonObject, JsonValue } from "../../../model/json.js";
import {
  importSharingValidator,
  importValidators,
  sharingModules,
} from "../../harness/projects/emitted-validators.js";
import { RandomSchemas } from "../../harness/random/random-schemas.js";

const VALUES_EACH = 8;
/** Schemas in one module. */
const BATCH = 50;

/** The kinds of schemas that are made at random. */
export const SCHEMA_KINDS = {
  "random schemas": [false, (random: RandomSchemas) => random.schema()],
  "schemas of what is evaluated": [false, (random: RandomSchemas) => random.evaluating()],
  "schemas with unusual names": [true, (random: RandomSchemas) => random.schema()],
  "unusual schemas of what is evaluated": [true, (random: RandomSchemas) => random.evaluating()],
} as const;

/**
 * Holds the compiled validators of random schemas against a plain reading of JSON Schema, on random values.
 *
 * @throws Error at the first that answers otherwise, or throws
 */
export async function compareValidators(
  kind: keyof typeof SCHEMA_KINDS,
  seed: number,
  count: number,
): Promise<void> {
  const [isUnusual, make] = SCHEMA_KINDS[kind];
  const random = new RandomSchemas(seed, isUnusual);
  for (let done = 0; done < count; done += BATCH) {
    const cases: { readonly schema: JsonObject; readonly values: readonly JsonValue[] }[] = [];
    while (cases.length < BATCH) {
      const schema = make(random);
      const values = Array.from({ length: VALUES_EACH }, () => random.value());
      if (!isEndless(schema)) cases.push({ schema, values });
    }
    const emitted = await validatorsOf(cases.map(({ schema }) => schema));
    for (const [index, { schema, values }] of cases.entries()) {
      for (const value of values) {
        compare(emitted[index]!, schema, value);
        compareMessages(emitted[index]!, schema, value);
      }
    }
    for (const { schema, values } of cases) await compareSharing(schema, values);
  }
}

/** Does the same where the definitions are shared schemas of the manifest, which have modules of their own. */
async function compareSharing(schema: JsonObject, values: readonly JsonValue[]): Promise<void> {
  if (sharingModules(schema).length === 1) return;
  const validate = await importSharingValidator(schema);
  for (const value of values) {
    compare(validate, schema, value);
    compareMessages(validate, schema, value);
  }
}

/** Whether a manifest refuses the schema, because it applies itself to one value without end. */
function isEndless(schema: JsonObject): boolean {
  const tool = { name: "a", description: "x", outputSchema: schema };
  const { manifest, diagnostics } = loadManifest(
    "mcp.yaml",
    Buffer.from(JSON.stringify({ tools: [tool] })),
  );
  if (manifest === undefined)
    throw new Error(`a random schema does not load: ${JSON.stringify(diagnostics[0])}`);
  return checkSchemas(manifest).some(({ code }) => code === circularReference.entry.code);
}

async function validatorsOf(schemas: readonly JsonObject[]): Promise<Validator[]> {
  const requests = schemas.map((schema, index) => ({ exportName: `schema${index}Input`, schema }));
  const validators = await importValidators(requests);
  return requests.map(({ exportName }) => validators[exportName]!);
}

function compare(validate: Validator, schema: JsonObject, value: JsonValue): void {
  const what = `${JSON.stringify(schema)} with ${JSON.stringify(value)}`;
  let answer: boolean;
  try {
    answer = validate(value);
  } catch (error) {
    throw new Error(`the validator throws: ${what}`, { cause: error });
  }
  if (answer !== accepts(schema, value)) throw new Error(`the validator says ${answer}: ${what}`);
}

/** The number of findings from which compiled validators omit some. */
const MOST_TOLD = 20;

/** If compiled validators record the evaluated properties, they check keywords in another order. */
const ACCOUNTED = /"unevaluated(?:Items|Properties)"/;

/** Compares the messages of a compiled validator about a refused value with those of the interpreter. */
function compareMessages(validate: Validator, schema: JsonObject, value: JsonValue): void {
  if (validate(value) || ACCOUNTED.test(JSON.stringify(schema))) return;
  const reported = reportedFindings(interpret(value, schema));
  if (reported.length >= MOST_TOLD) return;
  const [said, read] = [validate.errors ?? [], reported].map((all) =>
    all.map(({ instancePath, message }) => `${instancePath} ${message}`),
  );
  if (said?.join() === read?.join() || reported[0]?.keyword === "cost") return;
  const what = `${JSON.stringify(schema)} with ${JSON.stringify(value)}`;
  throw new Error(
    `the validator says\n${said?.join("\n")}\nthe interpreter\n${read?.join("\n")}\n${what}`,
  );
}
