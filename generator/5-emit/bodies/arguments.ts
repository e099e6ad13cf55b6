import { isJsonObject, type JsonSchema } from "../../model/json.js";
import type { PromptModel, ResourceTemplateModel, ToolModel } from "../../model/server-model.js";
import { collectDefaults } from "../../schema/defaults/collect-defaults.js";
import { ownValue } from "../../schema/json-schema.js";
import { argumentIdentifier } from "../../text/names.js";
import type { BodilyItem } from "./body-items.js";

/** An argument as the code of a body knows it. */
export interface BodyArgument {
  readonly name: string;
  /** What the code calls it. */
  readonly identifier: string;
  /** Whether it is always present, and a string, a number or a boolean. */
  readonly isPlainText: boolean;
  /** Whether it is always there. */
  readonly isRequired: boolean;
}

/** The names that bodies use beside those of arguments. */
const OTHER_NAMES = ["answer", "ctx", "NotFoundError", "path", "styled", "textOf", "ToolError"];

/** The name of a function of the runtime where the item itself has the function's name. */
export function otherName(name: string): string {
  return `runtime${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** What is known of the values of an argument. */
export type ArgumentFacts = Pick<BodyArgument, "isPlainText" | "isRequired">;

/**
 * The arguments of a tool, or the variables of a template, by their names.
 * @param used Those that the body uses, in their order.
 */
export function bodyArguments(
  item: BodilyItem,
  used: Iterable<string>,
): ReadonlyMap<string, BodyArgument> {
  return namedArguments([item.identifier, otherName(item.identifier)], factsFor(item), used);
}

/**
 * Arguments by their names.
 * @param others Further names that this code uses, beside those that all bodies use.
 * @param used The arguments that the code uses, in their order.
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

function factsFor(item: BodilyItem): (name: string) => ArgumentFacts {
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
    return { isRequired, isPlainText: isRequired && isPlain(propertySchema(wire, name), wire) };
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

/** Whether a schema allows only texts, numbers and truth values; false where that cannot be seen. */
function isPlain(schema: unknown, root: JsonSchema): boolean {
  if (!isJsonObject(schema as JsonSchema)) return false;
  const { type, $ref } = schema as { type?: unknown; $ref?: unknown };
  if (typeof $ref === "string" && isJsonObject(root)) {
    const name = /^#\/\$defs\/([^/]+)$/.exec($ref)?.[1];
    const defs = root["$defs"];
    return name !== undefined && isJsonObject(defs) && isPlain(ownValue(defs, name), true);
  }
  const types = [type].flat();
  return types.every((one) => ["string", "number", "integer", "boolean"].includes(String(one)));
}
