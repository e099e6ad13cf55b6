import type { SchemaValues } from "../contract.js";

/** The shared schemas that have functions of their own. */
export interface SchemasContract {
  readonly schemas: readonly SchemaContract[];
}

export interface SchemaContract {
  /** The name of the schema in the manifest. */
  readonly name: string;
  /** The name of its module. */
  readonly module: string;
  /** The functions that the module exports. */
  readonly exported: readonly SchemaFunction[];
  readonly values: SchemaValues;
  /** Constraints for which no value was found that violates only them. */
  readonly untested?: readonly string[];
}

/** `input` says of arguments what is wrong, in words; `output` names the keyword that refuses a result. */
export type SchemaFunction = "input" | "output";
