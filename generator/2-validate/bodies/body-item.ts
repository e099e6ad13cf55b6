import type { JsonObject } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { ownValue } from "../../schema/json-schema.js";
import { parseUriTemplate } from "../../text/uri-template.js";
import {
  inputProperties,
  presentProperties,
  schemaOfProperty,
  typesOfProperty,
} from "../../schema/input-properties.js";
import {
  itemsOf,
  mappingIn,
  promptArguments,
  rootOf,
  textIn,
  type Mapping,
} from "../manifest-view.js";

/** The arguments that a body may name: those of a tool or prompt, or the variables of a template. */
export interface ItemArguments {
  readonly names: ReadonlySet<string>;
  /** True if calls always have the argument: it is required or has a default. */
  isAlwaysPresent(name: string): boolean;
  /** The types of JSON that the argument may have. Empty if its schema does not state them. */
  typesOf(name: string): readonly string[];
  /** The arguments that the body must use. If absent, it must use all. */
  readonly needed?: ReadonlySet<string>;
  /** The schema of the argument. Undefined for variables of a template and arguments of a prompt. */
  schemaOf(name: string): JsonObject | undefined;
}

/** An item with a body, and the arguments that the body may name. */
export interface BodyItem extends ItemArguments {
  readonly item: Mapping;
  readonly body: Mapping;
  /** The words for the item in messages: `the tool`. */
  readonly what: string;
  /** Present if the body finds values for a completion or list. Such a body cannot have `write`. */
  readonly isSource?: true;
}

/** The arguments of a resource, which has none. */
export const NO_ARGUMENTS: ItemArguments = {
  names: new Set(),
  isAlwaysPresent: () => false,
  typesOf: () => [],
  schemaOf: () => undefined,
};

/** The items that have a body of a kind. */
export function itemsWithBody(manifest: LoadedManifest, kind: string): BodyItem[] {
  const shared = mappingIn(rootOf(manifest), "schemas")?.value ?? {};
  return [
    ...withBody(manifest, kind, "tools", "the tool", (tool) => argumentsOfTool(tool, shared)),
    ...withBody(manifest, kind, "resources", "the resource", () => NO_ARGUMENTS),
    ...withBody(manifest, kind, "resourceTemplates", "the template", variablesOf),
    ...withBody(manifest, kind, "prompts", "the prompt", argumentsOfPrompt),
  ];
}

function withBody(
  manifest: LoadedManifest,
  kind: string,
  list: string,
  what: string,
  argumentsOf: (item: Mapping) => ItemArguments | undefined,
): BodyItem[] {
  return itemsOf(manifest, list).flatMap((item) => {
    const body = mappingIn(item, kind);
    const given = argumentsOf(item);
    return body === undefined || given === undefined ? [] : [{ item, body, what, ...given }];
  });
}

function argumentsOfTool({ value }: Mapping, shared: JsonObject): ItemArguments {
  const schema = ownValue(value, "inputSchema");
  const properties = inputProperties(schema, shared);
  const present = presentProperties(schema, shared);
  return {
    names: new Set(properties.keys()),
    isAlwaysPresent: (name) => present.has(name),
    typesOf(name) {
      const property = properties.get(name);
      return property === undefined ? [] : typesOfProperty(property, shared);
    },
    schemaOf(name) {
      const property = properties.get(name);
      return property === undefined ? undefined : schemaOfProperty(property, shared);
    },
  };
}

function argumentsOfPrompt(prompt: Mapping): ItemArguments | undefined {
  const declared = promptArguments(prompt)?.map(({ value }) => value);
  if (declared === undefined) return undefined;
  const required = declared.filter((argument) => argument["required"] === true);
  const nameOf = (argument: JsonObject): string => textIn(argument, "name") ?? "";
  const present = new Set(required.map(nameOf));
  return {
    names: new Set(declared.map(nameOf)),
    isAlwaysPresent: (name) => present.has(name),
    typesOf: () => ["string"],
    schemaOf: () => undefined,
  };
}

function variablesOf({ value }: Mapping): ItemArguments {
  const parsed = parseUriTemplate(textIn(value, "uriTemplate") ?? "");
  const variables = new Map(
    (parsed.ok ? parsed.parts : []).flatMap((part) =>
      part.kind === "literal" ? [] : part.names.map((name) => [name, part] as const),
    ),
  );
  return {
    names: new Set(variables.keys()),
    isAlwaysPresent: (name) => variables.get(name)?.operator !== "?",
    schemaOf: () => undefined,
    typesOf: (name) => [variables.get(name)?.explode === true ? "array" : "string"],
  };
}
