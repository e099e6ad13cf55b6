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

/** The part of a valid instance to which a constraint applies, for making replacements that break it. */
export class BreakingSite {
  readonly schema: JsonObject;
  /** The value of the constraint's keyword. */
  readonly rule: JsonValue;
  readonly entry: string | number | undefined;

  /**
   * @param value the part of the valid instance
   * @param schemas all schemas that apply to it
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

  /** All schemas that apply, without some keywords of the constraint's schema; by default without its own keyword. */
  without(...keywords: readonly string[]): JsonObject[] {
    const removedKeywords = keywords.length === 0 ? [this.constraint.keyword] : keywords;
    const keptEntries = Object.entries(this.schema).filter(
      ([keyword]) => !removedKeywords.includes(keyword),
    );
    const otherSchemas = this.schemas.filter((schema) => schema !== this.schema);
    return [...otherSchemas, Object.fromEntries(keptEntries)];
  }

  /** A value for `applicableSchemas`, whose references are already resolved, and for `addedSchemas`. */
  build(
    applicableSchemas: readonly JsonObject[],
    addedSchemas: readonly JsonSchema[],
    request: Partial<ValueRequest> = {},
  ): Candidate {
    return this.builder.buildFrom(applicableSchemas, addedSchemas, {
      ...TYPICAL_REQUEST,
      ...request,
    });
  }
}
