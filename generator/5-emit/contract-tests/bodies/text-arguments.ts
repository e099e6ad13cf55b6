import { isJsonObject, type JsonObject } from "../../../model/json.js";
import type { ToolModel } from "../../../model/server-model.js";

/** The limits that a schema sets for a text, in characters. */
export interface TextSchema {
  readonly minLength?: number;
  readonly maxLength?: number;
}

const ANNOTATIONS = ["title", "description", "default", "examples"];

/**
 * The schema of an argument that takes any text of some length. Undefined if the argument has other rules, or
 * if its value among these is not a text.
 */
export function textSchema(
  { input }: ToolModel,
  values: JsonObject,
  name: string,
): TextSchema | undefined {
  const properties = isJsonObject(input.wire) ? input.wire["properties"] : undefined;
  const schema = isJsonObject(properties) ? properties[name] : undefined;
  if (!isJsonObject(schema) || typeof (values[name] ?? "") !== "string") return undefined;
  const { type, minLength, maxLength, ...rules } = schema;
  const takesAnyText = Object.keys(rules).every((rule) => ANNOTATIONS.includes(rule));
  return type === "string" && takesAnyText ? ({ minLength, maxLength } as TextSchema) : undefined;
}
