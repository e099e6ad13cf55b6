import { isSource, offeredValues } from "../../bodies/index.js";
import { completionTypeName } from "../../model/type-names.js";
import { completionIdentifier } from "../../text/names.js";
import { literalOf, objectOf } from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import { completionModulePath, type CompletedItem } from "../bodies/source-code.js";
import type { Declaration } from "../declaration.js";
import { completionOf, parametersOf } from "./handler-files.js";
import type { Entry } from "./item-settings.js";
import { interfaceOf, lateImport, memberOf } from "./structures.js";

/** The entry `complete` of a prompt or template; empty if nothing can be completed. */
export function completions(item: CompletedItem): Entry[] {
  const code = completionOf(item);
  const sources = parametersOf(item).flatMap(({ name, complete }): Entry[] => {
    if (complete === undefined) return [];
    if (isSource(complete)) {
      const exported = memberOf(completionIdentifier(item), name);
      return [[name, lateImport(`../${completionModulePath(item)}.ts`, exported)]];
    }
    const offered = offeredValues(complete);
    if (offered !== undefined) return [[name, literalOf([...offered])]];
    if (code === undefined) return [];
    return [[name, lateImport(`../../${code.module}.ts`, memberOf(code.exportName, name))]];
  });
  return sources.length === 0 ? [] : [["complete", objectOf(sources)]];
}

/** The type of people's code that completes an item; empty if there is no such code. */
export function completionTypes(item: CompletedItem): Declaration[] {
  const code = completionOf(item);
  if (code === undefined) return [];
  const members = code.completed.map((name) => ({
    name,
    type: completionType(item, name),
    readonly: true,
  }));
  return [
    interfaceOf(completionTypeName(item), members, `The code that completes \`${item.name}\`.`),
  ];
}

/** The type of the code that finds values for one argument or variable. */
export function completionType(item: CompletedItem, name: string): string {
  const others = parametersOf(item).filter((other) => other.name !== name);
  const names = others.map((other) => writeString(other.name));
  return names.length === 0 ? "CompletionCode" : `CompletionCode<${names.join(" | ")}>`;
}
