import type { FileStatement } from "../typescript-printer.js";
import type { PromptModel, ResourceTemplateModel } from "../../model/server-model.js";
import { literalOf, objectOf } from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import { completionOf, type ItemCode } from "./handler-files.js";
import type { Entry } from "./item-settings.js";
import { importOf, memberOf } from "./structures.js";

/** The `complete` entry of a prompt or template: at most one, absent where nothing can be completed. */
export function completions(item: PromptModel | ResourceTemplateModel): Entry[] {
  const code = completionOf(item);
  const arguable = item.kind === "prompt" ? item.arguments : item.variables;
  const sources = arguable.flatMap(({ name, complete }) => {
    if (complete === undefined) return [];
    if (complete !== "code") return [[name, literalOf([...complete])] as const];
    return code === undefined ? [] : [[name, memberOf(`(${checked(code)})`, name)] as const];
  });
  return sources.length === 0 ? [] : [["complete", objectOf(sources)]];
}

/** A person's constant, held against the type that it must have. */
export function checked({ exportName, type, item }: ItemCode): string {
  return `${exportName} satisfies ${type}<${writeString(item.name)}>`;
}

/** Imports of such constants. */
export function codeImports(code: readonly ItemCode[]): FileStatement[] {
  return code.map(({ module, exportName }) => importOf(`../${module}.js`, [exportName]));
}

/** The types that such constants are held against. */
export function codeTypesOf(code: readonly ItemCode[]): string[] {
  return [...new Set(code.map(({ type }) => type))];
}
