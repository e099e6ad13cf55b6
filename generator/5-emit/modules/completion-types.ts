import type { FileStatement } from "../typescript-printer.js";
import type { PromptModel, ResourceTemplateModel, ServerModel } from "../../model/server-model.js";
import { functionType, shortMembersOf, type Code } from "../../text/code.js";
import { writeKey, writeString } from "../../text/literal.js";
import { completionOf } from "./handler-files.js";
import { importTypes, interfaceOf, typeAlias } from "./structures.js";

type Completed = PromptModel | ResourceTemplateModel;

/** Types of the code that completes arguments and variables, and that lists instances. */
export function codeTypes(model: ServerModel): FileStatement[] {
  const { prompts, resourceTemplates } = model;
  const listed = resourceTemplates.filter(({ lists }) => lists);
  const ofPrompts = completionTypes("Prompt", prompts, "The code that completes each prompt.");
  const ofTemplates = completionTypes(
    "ResourceTemplate",
    resourceTemplates,
    "The code that completes each resource template.",
  );
  return [
    ...(ofPrompts.length + ofTemplates.length > 0 ? [completionCodeType()] : []),
    ...ofPrompts,
    ...ofTemplates,
    ...(listed.length > 0 ? [listType(listed)] : []),
  ];
}

export function codeTypeImports({ prompts, resourceTemplates }: ServerModel): FileStatement[] {
  const isCompleted = [...prompts, ...resourceTemplates].some(
    (item) => completionOf(item) !== undefined,
  );
  return [
    ...(isCompleted
      ? [importTypes("./runtime/completion/completion.js", ["CompletionQuery", "CompletionValues"])]
      : []),
    ...(resourceTemplates.some(({ lists }) => lists)
      ? [importTypes("./runtime/resources/instances.js", ["ListedInstance"])]
      : []),
  ];
}

function completionCodeType(): FileStatement {
  return typeAlias(
    "CompletionCode",
    functionType(["query: CompletionQuery<Others>", "ctx: Context"], "Awaitable<CompletionValues>"),
    "Finds values for one argument or variable; `Others` are those whose values may be known.",
    ["Others extends string = never"],
  );
}

function completionTypes(
  prefix: string,
  items: readonly Completed[],
  docs: string,
): FileStatement[] {
  const members = items.flatMap((item) => {
    const code = completionOf(item);
    return code === undefined ? [] : [{ name: item.name, type: typeOf(item, code.completed) }];
  });
  if (members.length === 0) return [];
  const all = `${prefix}Completions`;
  return [
    interfaceOf(all, members, docs),
    typeAlias(`${prefix}Completion`, `${all}[Name]`, undefined, [`Name extends keyof ${all}`]),
  ];
}

/** `{ readonly city: CompletionCode<"country"> }` */
function typeOf(item: Completed, completed: readonly string[]): Code {
  const names = (item.kind === "prompt" ? item.arguments : item.variables).map(({ name }) => name);
  const members = completed.map((name) => {
    const others = names.filter((other) => other !== name).map(writeString);
    const argument = others.length === 0 ? "" : `<${others.join(" | ")}>`;
    return { name: `readonly ${writeKey(name)}`, type: `CompletionCode${argument}` };
  });
  return shortMembersOf(members);
}

function listType(listed: readonly ResourceTemplateModel[]): FileStatement {
  return typeAlias(
    "ResourceTemplateList",
    functionType(["ctx: Context"], "Awaitable<readonly ListedInstance<TemplateVariables<Name>>[]>"),
    "Lists the instances of a template that there are.",
    [`Name extends ${listed.map(({ name }) => writeString(name)).join(" | ")}`],
  );
}
