import type { PromptModel, ResourceTemplateModel } from "../../model/server-model.js";
import { completionTypeName } from "../../model/type-names.js";
import { literalOf, objectOf } from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import type { Declaration } from "../declaration.js";
import { completionOf } from "./handler-files.js";
import type { Entry } from "./item-settings.js";
import { interfaceOf, lateImport, memberOf } from "./structures.js";

/** An item whose arguments or variables may be completed. */
type Completed = PromptModel | ResourceTemplateModel;

/** The `complete` entry of a prompt or template: at most one, absent where nothing can be completed. */
export function completions(item: Completed): Entry[] {
  const code = completionOf(item);
  const sources = arguableOf(item).flatMap(({ name, complete }): Entry[] => {
    if (complete === undefined) return [];
    if (complete !== "code") return [[name, literalOf([...complete])]];
    if (code === undefined) return [];
    return [[name, lateImport(`../../${code.module}.ts`, memberOf(code.exportName, name))]];
  });
  return sources.length === 0 ? [] : [["complete", objectOf(sources)]];
}

function arguableOf(
  item: Completed,
): PromptModel["arguments"] | ResourceTemplateModel["variables"] {
  return item.kind === "prompt" ? item.arguments : item.variables;
}

/** The type of the code that completes an item: at most one. */
export function completionTypes(item: Completed): Declaration[] {
  const code = completionOf(item);
  if (code === undefined) return [];
  const names = arguableOf(item).map(({ name }) => name);
  const members = code.completed.map((name) => {
    const others = names.filter((other) => other !== name).map(writeString);
    const parameter = others.length === 0 ? "" : `<${others.join(" | ")}>`;
    return { name, type: `CompletionCode${parameter}`, readonly: true };
  });
  return [
    interfaceOf(completionTypeName(item), members, `The code that completes \`${item.name}\`.`),
  ];
}
