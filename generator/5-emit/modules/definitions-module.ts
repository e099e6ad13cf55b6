import { literalOf, sequenceOf } from "../../text/code.js";
import type { SchemaDefinitions } from "../schema-definitions.js";
import type { FileStatements } from "../typescript-printer.js";
import { importTypes } from "./structures.js";

/** The module of definitions, relative to `src/generated/`, without extension. */
export const DEFINITIONS_MODULE = "schema-definitions";

/** `src/generated/schema-definitions.ts`: the manifest's `schemas` as clients get them, among the definitions of tools. */
export function definitionsModule(definitions: SchemaDefinitions): FileStatements {
  const constants = [...definitions.values()].map(({ typeName, schema }) => ({
    code: sequenceOf([`export const ${typeName}: JsonObject = `, literalOf(schema), ";"]),
  }));
  return [importTypes("@mcpwright/runtime", ["JsonObject"]), ...constants];
}
