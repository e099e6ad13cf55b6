import { packageRoot } from "../../../text/package-root.js";
import type { Validator } from "../../../../templates/runtime/engine/item.js";
import {
  ValidatorEmitter,
  type ValidatorRequest,
} from "../../../5-emit/validators/emit-validators.js";
import type { JsonSchema } from "../../../model/json.js";

/** The module that a generated project would have for these validators. */
export function validatorCode(requests: readonly ValidatorRequest[]): string {
  const sharedModules = new URL("dist/templates/runtime/validators/*.js", packageRoot).href;
  return new ValidatorEmitter().module(requests, { header: "// test", sharedModules });
}

/** The same, loaded, by the names of its exports. */
export async function importValidators(
  requests: readonly ValidatorRequest[],
): Promise<Readonly<Record<string, Validator>>> {
  return import(`data:text/javascript,${encodeURIComponent(validatorCode(requests))}`);
}

/** The validator of a schema as the generated project would run it. */
export async function importValidator(
  schema: JsonSchema,
  namesKeywordsOnly = false,
): Promise<Validator> {
  const { input } = await importValidators([{ exportName: "input", schema, namesKeywordsOnly }]);
  if (input === undefined) throw new Error("the module exports no validator");
  return input;
}
