import { isJsonObject, type JsonSchema } from "../../model/json.js";
import type {
  ItemModel,
  PromptModel,
  ResourceTemplateModel,
  ToolModel,
} from "../../model/server-model.js";
import { collectDefaults } from "../../schema/defaults/collect-defaults.js";
import { ownValue } from "../../schema/json-schema.js";
import { argumentIdentifier } from "../../text/names.js";

/** An argument in the code of a body. */
export interface BodyArgument {
  readonly name: string;
  /** Its variable in the code. */
  readonly identifier: string;
  /** True if the value is always present, and is a string, a number or a boolean. */
  readonly isPlainText: boolean;
  /** True if the value is always present. */
  readonly isRequired: boolean;
}

/** Names in the code of bodies that are not arguments. */
const OTHER_NAMES = ["answer", "ctx", "NotFoundError", "path", "styled", "textOf", "ToolError"];

/** The alias by which a module imports a function of the runtime whose name the item has too. */
export function runtimeAlias(name: string): string {
  return `runtime${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** Properties of an argument that its schema tells. */
export type ArgumentFacts = Pick<BodyArgument, "isPlainText" | "isRequired">;

/**
 * The arguments or variables of an item, by their names.
 *
 * @param used names of those that the body uses, in order
 * @param others names that the code of this kind of body uses for something else
 */
export function bodyArguments(
  item: ItemModel,
  used: Iterable<string>,
  others: readonly string[] = [],
): ReadonlyMap<string, BodyArgument> {
  const taken = [item.identifier, runtimeAlias(item.identifier), ...others];
  return namedArguments(taken, factsOfItem(item), used);
}

/**
 * Arguments by their names.
 *
 * @param others names that this code uses for something else, in addition to those that all bodies use
 * @param used names of the arguments that the code uses, in order
 */
export function namedArguments(
  others: readonly string[],
  factsOf: (name: string) => ArgumentFacts,
  used: Iterable<string>,
): ReadonlyMap<string, BodyArgument> {
  const taken = new Set([...OTHER_NAMES, ...others]);
  return new Map(
    [...new Set(used)].map((name) => {
      const identifier = argumentIdentifier(name, taken);
      taken.add(identifier);
      return [name, { name, identifier, ...factsOf(name) }];
    }),
  );
}

function factsOfItem(item: ItemModel): (name: string) => ArgumentFacts {
  switch (item.kind) {
    case "tool":
      return argumentFacts(item);
    case "resourceTemplate":
      return variableFacts(item);
    case "prompt":
      return promptFacts(item);
    case "resource":
      return () => ({ isRequired: false, isPlainText: false });
  }
}

function argumentFacts({ input: { wire } }: ToolModel): (name: string) => ArgumentFacts {
  const defaults = collectDefaults(wire)?.properties ?? {};
  return (name) => {
    const isFilled = Object.hasOwn(defaults, name) && defaults[name]?.value !== undefined;
    const isRequired = isFilled || requiredNames(wire).includes(name);
    return { isRequired, isPlainText: isRequired && isScalar(propertySchema(wire, name), wire) };
  };
}

function variableFacts({ variables }: ResourceTemplateModel): (name: string) => ArgumentFacts {
  return (name) => {
    const { required = false, list = false } = variables.find((one) => one.name === name) ?? {};
    return { isRequired: required, isPlainText: required && !list };
  };
}

function promptFacts(prompt: PromptModel): (name: string) => ArgumentFacts {
  return (name) => {
    const { required = false } = prompt.arguments.find((one) => one.name === name) ?? {};
    return { isRequired: required, isPlainText: required };
  };
}

function requiredNames(schema: JsonSchema): readonly unknown[] {
  const required = isJsonObject(schema) ? schema["required"] : undefined;
  return Array.isArray(required) ? required : [];
}

function propertySchema(schema: JsonSchema, name: string): unknown {
  const properties = isJsonObject(schema) ? schema["properties"] : undefined;
  return isJsonObject(properties) ? ownValue(properties, name) : undefined;
}

/** True if a schema clearly allows only strings, numbers and booleans. */
function isScalar(schema: unknown, root: JsonSchema): boolean {
  if (!isJsonObject(schema as JsonSchema)) return false;
  const { type, $ref } = schema as { type?: unknown; $ref?: unknown };
  if (typeof $ref === "string" && isJsonObject(root)) {
    const name = /^#\/\$defs\/([^/]+)$/.exec($ref)?.[1];
    const defs = root["$defs"];
    return name !== undefined && isJsonObject(defs) && isScalar(ownValue(defs, name), true);
  }
  const types = [type].flat();
  return types.every((one) => ["string", "number", "integer", "boolean"].includes(String(one)));
}
