import type { BreakingValue, SchemaValues } from "../contract.js";
import type { TestRegistry } from "../clients/probed-server.js";
import { expectEqual, expectThat, shown } from "../expectation.js";
import type { SchemaFunction, SchemasContract } from "./schema-contract.js";

/** A finding of a compiled validator. Of results, it has no message. */
interface Finding {
  readonly instancePath: string;
  readonly keyword?: string;
  readonly message?: string;
}

/** A compiled validator, which keeps its findings about the latest value. */
interface Validator {
  (value: unknown): boolean;
  errors?: readonly Finding[] | null;
}

/** The functions that the module of a shared schema exports. */
export type SchemaModule = Readonly<Record<SchemaFunction, Validator | undefined>>;

/**
 * Registers the tests of the functions of shared schemas, which the functions of tools call. So each schema is tested
 * once, and the tools test only that they call it.
 * @param load imports the module of a schema
 */
export function testSchemas(
  test: TestRegistry,
  { schemas }: SchemasContract,
  load: (module: string) => Promise<SchemaModule>,
): void {
  for (const { name, module, exported, values } of schemas) {
    for (const kind of exported) {
      const use = kind === "input" ? "arguments" : "results";
      test(`the schema ${name} takes and refuses the right values in ${use}`, async () => {
        const validate = (await load(module))[kind];
        if (validate === undefined) throw new Error(`${module} has no function for ${use}`);
        expectValues(values, validate, kind);
      });
    }
  }
}

function expectValues(
  { accepted, refused }: SchemaValues,
  validate: Validator,
  kind: SchemaFunction,
): void {
  for (const value of accepted) expectEqual(validate(value), true, `${shown(value)} is valid`);
  for (const broken of refused) {
    const { value, says = "" } = broken;
    expectEqual(validate(value), false, `${shown(value)} is valid`);
    const findings = validate.errors ?? [];
    expectThat(
      findings.some((finding) => isExpected(finding, broken, kind)),
      `${shown(value)}: expected the finding ${says}, got ${JSON.stringify(findings)}`,
    );
  }
}

function isExpected(
  { instancePath, keyword, message }: Finding,
  expected: BreakingValue,
  kind: SchemaFunction,
): boolean {
  const place = instancePath || "/";
  if (kind === "input") return expected.says === `${place}: ${message}`;
  return keyword === expected.keyword && expected.says?.startsWith(`${place}: `) === true;
}
