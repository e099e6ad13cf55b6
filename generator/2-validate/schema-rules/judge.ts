import type { JsonSchema, JsonValue } from "../../model/json.js";
import type { Finding } from "../../schema/finding.js";
import { interpret } from "../../schema/interpret.js";
import type { SharedSchemas } from "../../schema/schema-reference.js";
import { SharedWork } from "../../schema/shared-work.js";

/** Schemas held against all values together: as many as a manifest may have tokens. */
const MOST_READINGS = 1_500_000;
/** Those of the values in a tool's schema, or beside it, before they take from the others. */
const READINGS_OF_EACH = 150;

/** Judges values of a manifest by its schemas: defaults, examples and fixed answers. The work is bounded for all together. */
export class Judge {
  readonly readings = new SharedWork(MOST_READINGS, READINGS_OF_EACH);
  readonly #shared: SharedSchemas;

  constructor(shared: SharedSchemas) {
    this.#shared = shared;
  }

  /** @param root the schema within which the references of `schema` are read */
  findings(value: JsonValue, schema: JsonSchema, root: JsonSchema): readonly Finding[] {
    return interpret(value, schema, root, { shared: this.#shared, work: this.readings });
  }
}
