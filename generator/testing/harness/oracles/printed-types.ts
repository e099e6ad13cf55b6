import * as assert from "uvu/assert";
import type { TypeRequest } from "../../../5-emit/types/emit-types.js";
import { declarationOf } from "../../../5-emit/types/type-declaration.js";
import { createTypeScriptPrinter } from "../../../5-emit/typescript-printer.js";
import type { JsonSchema } from "../../../model/json.js";
import type { SharedSchemaModel } from "../../../model/server-model.js";
import { emitTypes } from "./types-in-one-module.js";

/** The type of one schema, which is called `Input`, and its text. */

const printer = createTypeScriptPrinter();

export function inputRequest(
  schema: JsonSchema,
  mode: TypeRequest["mode"] = "arguments",
): TypeRequest {
  return { typeName: "Input", schema, mode };
}

/** The text of a schema's type without the types of JSON itself, as it stands in a generated project. */
async function printed(
  request: TypeRequest,
  shared: readonly SharedSchemaModel[],
): Promise<string> {
  const declarations = emitTypes([request], shared).filter(({ name }) => !/^Json[VOP]/.test(name));
  return printer.print(declarations.map(declarationOf));
}

export async function expectPrinted(
  expected: string,
  schema: JsonSchema,
  options: { mode?: TypeRequest["mode"]; shared?: readonly SharedSchemaModel[] } = {},
): Promise<void> {
  const text = await printed(inputRequest(schema, options.mode), options.shared ?? []);
  assert.fixture(text.trim(), expected.trim());
}
