import { isBody, type BodyModel } from "../../model/bodies.js";
import type { ItemModel, ServerModel, ToolModel } from "../../model/server-model.js";
import { callOf, functionOf, type Code } from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import { constant, importOf } from "../modules/structures.js";
import type { FileStatements } from "../typescript-printer.js";
import { httpCode } from "./http.js";

/** What the code of a body is made of. */
export interface BodyCode {
  /** What it imports of the project's own module, beside the type of the handler. */
  readonly imports: readonly string[];
  readonly docs: string;
  /** The first parameter of the handler. */
  readonly parameter: Code;
  readonly statements: readonly Code[];
}

/** An item that has a body. */
export type BodyItem = ToolModel & { readonly behaviour: BodyModel };

/** Whether the manifest says what an item does, so that its code is generated. */
export function hasBody(item: ItemModel): item is BodyItem {
  return isBody(item.behaviour);
}

/** Whether an item has code: a person's, or its body's. */
export function hasCode(item: ItemModel): boolean {
  return item.behaviour.kind === "handler" || hasBody(item);
}

/** Whether tests play the upstream of a tool: of one with a body, or whose examples say what it answers. */
export function isPlayed(tool: ToolModel): boolean {
  return hasBody(tool) || (hasCode(tool) && tool.examples.some(({ http }) => http !== undefined));
}

/** The items of a server that have a body. */
export function bodyItems({ tools }: ServerModel): readonly BodyItem[] {
  return tools.filter(hasBody);
}

/** Path of the module of an item's body without extension, from `src/generated/`. */
export function bodyModulePath({ fileName }: BodyItem): string {
  return `bodies/tools/${fileName}`;
}

const byLetters = (one: string, other: string): number =>
  one.toLowerCase() < other.toLowerCase() ? -1 : 1;

/**
 * A module with the code of an item's body: the generated one or, once the manifest says no more what the item
 * does, a person's.
 *
 * @param index from the module to the one that handlers import from
 */
export function bodyModule(item: ToolModel, body: BodyModel, index: string): FileStatements {
  const { imports, docs, parameter, statements } = httpCode(item, body);
  return [
    importOf(index, [...[...imports].sort(byLetters), "type ToolHandler"]),
    constant({
      name: item.identifier,
      type: `ToolHandler<${writeString(item.name)}>`,
      value: functionOf(callOf("async ", [parameter, "ctx"]), statements),
      docs,
    }),
  ];
}
