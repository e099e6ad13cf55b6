import type { JsonSchema, JsonValue } from "../../model/json.js";
import type { Finding } from "../../schema/finding.js";
import { interpret } from "../../schema/interpret.js";
import type { SharedSchemas } from "../../schema/schema-reference.js";
import { SharedWork } from "../../schema/shared-work.js";

/** The most schemas that are applied to all values of a manifest together. */
const MOST_READINGS = 1_500_000;
/** The number of schemas for the values of each tool that do not count against that limit. */
const READINGS_OF_EACH = 150;

/** Checks values of a manifest against its schemas: defaults, examples and fixed answers. Limits the work for all together. */
export class ValueChecker {
  readonly readings = new SharedWork(MOST_READINGS, READINGS_OF_EACH);
  readonly #shared: SharedSchemas;

  constructor(shared: SharedSchemas) {
    this.#shared = shared;
  }

  /** @param root the schema that the references of `schema` are relative to */
  findings(value: JsonValue, schema: JsonSchema, root: JsonSchema): readonly Finding[] {
    return interpret(value, schema, root, { shared: this.#shared, work: this.readings });
  }
}
