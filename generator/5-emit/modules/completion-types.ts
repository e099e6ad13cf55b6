import type { ResourceTemplateModel, ServerModel } from "../../model/server-model.js";
import { completionTypeName, variablesTypeName } from "../../model/type-names.js";
import { functionType } from "../../text/code.js";
import type { Declaration } from "../declaration.js";
import type { FileStatement } from "../typescript-printer.js";
import { completionSources, type CompletedItem } from "../bodies/source-code.js";
import { completionOf } from "./handler-files.js";
import { importTypes, interfaceOf, typeAlias } from "./structures.js";

/** Types of the code that completes arguments and variables or lists instances. */
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

/** The imports that these types need. */
export function codeTypeImports({ prompts, resourceTemplates }: ServerModel): FileStatement[] {
  const isCompleted = findsValues([...prompts, ...resourceTemplates]);
  const module = "@mcpwright/runtime";
  return [
    ...(isCompleted ? [importTypes(module, ["CompletionQuery", "CompletionValues"])] : []),
    ...(resourceTemplates.some(({ list }) => list !== undefined)
      ? [importTypes("@mcpwright/runtime", ["ListedInstance"])]
      : []),
  ];
}

/** True if code completes anything: people's code, or code of a body. */
function findsValues(items: readonly CompletedItem[]): boolean {
  return items.some(
    (item) => completionOf(item) !== undefined || completionSources(item).length > 0,
  );
}

function completionCodeType(): Declaration {
  return typeAlias(
    "CompletionCode",
    functionType(["query: CompletionQuery<Others>", "ctx: Context"], "Awaitable<CompletionValues>"),
    "Finds values for one argument or variable. `Others` are those whose values may already be known.",
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
  const table = `${prefix}Completions`;
  return [
    interfaceOf(table, members, docs),
    typeAlias(`${prefix}Completion`, `${table}[Name]`, undefined, [`Name extends keyof ${table}`]),
  ];
}

function listTypes(listed: readonly ResourceTemplateModel[]): Declaration[] {
  const members = listed.map((item) => ({ name: item.name, type: variablesTypeName(item) }));
  return [
    interfaceOf(
      "ListedTemplates",
      members,
      "The variables of each template whose instances code lists.",
    ),
    typeAlias(
      "ResourceTemplateList",
      functionType(["ctx: Context"], "Awaitable<readonly ListedInstance<ListedTemplates[Name]>[]>"),
      "Lists the existing instances of a template.",
      ["Name extends keyof ListedTemplates"],
    ),
  ];
}
