import type { JsonObject, JsonSchema, JsonValue } from "../../model/json.js";
import type { InstanceBuilder } from "./instance-builder.js";
import { TYPICAL_REQUEST, type ValueRequest } from "./value-request.js";

/** One constraint: a keyword of a schema, or one entry of `required` and `dependentRequired`. */
export interface Constraint {
  readonly schema: JsonObject;
  readonly keyword: string;
  /** The entry, where the keyword holds several. */
  readonly entry?: string | number;
}

/** A value that may break a constraint; undefined for a failed attempt to make one. */
export type Candidate = JsonValue | undefined;

/** A place in a valid value at which a constraint is to be broken. */
export class BreakingSite {
  readonly schema: JsonObject;
  /** What stands under the keyword. */
  readonly rule: JsonValue;
  readonly entry: string | number | undefined;

  /**
   * @param value what stands at the place in the valid value
   * @param schemas all that speak about the place
   */
  constructor(
    readonly value: JsonValue,
    readonly schemas: readonly JsonObject[],
    private readonly constraint: Constraint,
    private readonly builder: InstanceBuilder,
  ) {
    this.schema = constraint.schema;
    this.rule = constraint.schema[constraint.keyword] ?? null;
    this.entry = constraint.entry;
  }

  /** The schemas of the place with some keywords of the constraint's schema taken out; the constraint's own if none is named. */
  without(...keywords: readonly string[]): JsonObject[] {
    const out = keywords.length === 0 ? [this.constraint.keyword] : keywords;
    const rest = Object.entries(this.schema).filter(([keyword]) => !out.includes(keyword));
    return [...this.schemas.filter((one) => one !== this.schema), Object.fromEntries(rest)];
  }

  /** A value for schemas that are in force and further ones. */
  build(
    inForce: readonly JsonObject[],
    further: readonly JsonSchema[],
    request: Partial<ValueRequest> = {},
  ): Candidate {
    return this.builder.buildFrom(inForce, further, { ...TYPICAL_REQUEST, ...request });
  }
}
