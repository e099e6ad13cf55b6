import type { ResourceTemplateModel, ServerModel } from "../../model/server-model.js";
import { completionTypeName, variablesTypeName } from "../../model/type-names.js";
import { functionType } from "../../text/code.js";
import type { Declaration } from "../declaration.js";
import type { FileStatement } from "../typescript-printer.js";
import { completionSources, type CompletedItem } from "../bodies/source-code.js";
import { completionOf } from "./handler-files.js";
import { importTypes, interfaceOf, typeAlias } from "./structures.js";

/** Types of the code that completes arguments and variables, and that lists instances. */
export function codeTypes({ prompts, resourceTemplates }: ServerModel): Declaration[] {
  const listed = resourceTemplates.filter(({ list }) => list !== undefined);
  const completed = [
    ...completionTables("Prompt", prompts, "The code that completes each prompt."),
    ...completionTables(
      "ResourceTemplate",
      resourceTemplates,
      "The code that completes each resource template.",
    ),
  ];
  return [
    ...(findsValues([...prompts, ...resourceTemplates]) ? [completionCodeType()] : []),
    ...completed,
    ...(listed.length > 0 ? listTypes(listed) : []),
  ];
}

/** What those types are made of. */
export function codeTypeImports({ prompts, resourceTemplates }: ServerModel): FileStatement[] {
  const isCompleted = findsValues([...prompts, ...resourceTemplates]);
  const module = "./runtime/completion/define-completions.ts";
  return [
    ...(isCompleted ? [importTypes(module, ["CompletionQuery", "CompletionValues"])] : []),
    ...(resourceTemplates.some(({ list }) => list !== undefined)
      ? [importTypes("./runtime/resources/instances.ts", ["ListedInstance"])]
      : []),
  ];
}

/** Whether anything is completed by code: a person's, or of a body. */
function findsValues(items: readonly CompletedItem[]): boolean {
  return items.some(
    (item) => completionOf(item) !== undefined || completionSources(item).length > 0,
  );
}

function completionCodeType(): Declaration {
  return typeAlias(
    "CompletionCode",
    functionType(["query: CompletionQuery<Others>", "ctx: Context"], "Awaitable<CompletionValues>"),
    "Finds values for one argument or variable; `Others` are those whose values may be known.",
    ["Others extends string = never"],
  );
}

function completionTables(
  prefix: string,
  items: readonly CompletedItem[],
  docs: string,
): Declaration[] {
  const members = items
    .filter((item) => completionOf(item) !== undefined)
    .map((item) => ({ name: item.name, type: completionTypeName(item) }));
  if (members.length === 0) return [];
  const all = `${prefix}Completions`;
  return [
    interfaceOf(all, members, docs),
    typeAlias(`${prefix}Completion`, `${all}[Name]`, undefined, [`Name extends keyof ${all}`]),
  ];
}

function listTypes(listed: readonly ResourceTemplateModel[]): Declaration[] {
  const members = listed.map((item) => ({ name: item.name, type: variablesTypeName(item) }));
  return [
    interfaceOf("ListedTemplates", members, "The variables of each template that code lists."),
    typeAlias(
      "ResourceTemplateList",
      functionType(["ctx: Context"], "Awaitable<readonly ListedInstance<ListedTemplates[Name]>[]>"),
      "Lists the instances of a template that there are.",
      ["Name extends keyof ListedTemplates"],
    ),
  ];
}
