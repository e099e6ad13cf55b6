import { isBody, type BodyModel } from "../../model/bodies.js";
import type { ItemModel, ServerModel, ToolModel } from "../../model/server-model.js";
import { callOf, functionOf, type Code } from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import { constant, importOf, importTypes } from "../modules/structures.js";
import type { FileStatements } from "../typescript-printer.js";
import { httpCode } from "./http.js";
import { sqlCode } from "./sql.js";

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
  const { behaviour, examples } = tool;
  if (behaviour.kind === "http") return true;
  return behaviour.kind === "handler" && examples.some(({ http }) => http !== undefined);
}

/** Whether tests call a tool with databases of their own. */
export function asksDatabase({ behaviour, examples }: ToolModel): boolean {
  if (behaviour.kind === "sql") return true;
  return behaviour.kind === "handler" && examples.some(({ database }) => database !== undefined);
}

/** Whether a body can run: what it asks is declared. */
export function isRunnable(
  body: BodyModel,
  { upstreams = [], databases = [] }: ServerModel,
): boolean {
  switch (body.kind) {
    case "http":
      return upstreams.some(({ name }) => name === body.upstream);
    case "sql":
      return databases.some(({ name, type }) => name === body.database && type === body.dialect);
  }
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

function codeOf(item: ToolModel, body: BodyModel): BodyCode {
  switch (body.kind) {
    case "http":
      return httpCode(item, body);
    case "sql":
      return sqlCode(item, body);
  }
}

/**
 * A module with the code of an item's body: the generated one or, once the manifest says no more what the item
 * does, a person's.
 *
 * @param index from the module to the one that handlers import from
 */
export function bodyModule(item: ToolModel, body: BodyModel, index: string): FileStatements {
  const { imports, docs, parameter, statements } = codeOf(item, body);
  return [
    imports.length === 0
      ? importTypes(index, ["ToolHandler"])
      : importOf(index, [...[...imports].sort(byLetters), "type ToolHandler"]),
    constant({
      name: item.identifier,
      type: `ToolHandler<${writeString(item.name)}>`,
      value: functionOf(callOf("async ", [parameter, "ctx"]), statements),
      docs,
    }),
  ];
}
