import { jsonObjectOf } from "../../model/json.js";
import type { ResourceModel, ResourceTemplateModel } from "../../model/server-model.js";
import { variablesTypeName } from "../../model/type-names.js";
import { literalOf, sequenceOf } from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import type { SharedTypes } from "../types/emit-types.js";
import { hasBody, hasCode } from "../bodies/body-items.js";
import { bodyEntries } from "../bodies/body-kinds.js";
import { listModulePath } from "../bodies/source-code.js";
import { asksEntry } from "./asking.js";
import { completionTypes, completions } from "./completions.js";
import { completionOf, listCode } from "./handler-files.js";
import { handlerEntry, itemModule, mockEntry, type ItemModule } from "./item-module.js";
import { readSettings, type Entry } from "./item-settings.js";
import { importOf, interfaceOf, lateImport, type Property } from "./structures.js";

/** `src/generated/resources/<resource>.ts`: the types and the entry of a resource. */
export function resourceModule(resource: ResourceModel, shared: SharedTypes): ItemModule {
  const { behaviour, uri, wire } = resource;
  const codeTypes = hasCode(resource) && { codeTypes: [writeString(uri)] };
  const entries: Entry[] = [
    ["definition", literalOf(wire)],
    ...contentEntry(behaviour),
    ...handlerEntry(resource),
    ...mockEntry(resource),
    ...asksEntry(resource),
    ...readSettings(resource),
  ];
  const imports = behaviour.kind === "app" && {
    imports: [importOf("@mcpwright/runtime/apps", ["appPage"])],
  };
  return itemModule(resource, { ...codeTypes, ...imports, entries }, shared);
}

/** The entry with the content of a resource, if the manifest has it: itself, the path of its file, or what its page shows. */
function contentEntry(behaviour: ResourceModel["behaviour"]): Entry[] {
  switch (behaviour.kind) {
    case "text":
      return [["text", writeString(behaviour.text)]];
    case "blob":
      return [["blob", writeString(behaviour.blob)]];
    case "file":
      return [["file", writeString(behaviour.path)]];
    case "app":
      return [["handler", sequenceOf(["appPage(", literalOf(jsonObjectOf(behaviour.view)), ")"])]];
    default:
      return [];
  }
}

/** `src/generated/resource-templates/<template>.ts`: the types and the entry of a resource template. */
export function resourceTemplateModule(
  template: ResourceTemplateModel,
  shared: SharedTypes,
): ItemModule {
  const { name, variables, parts, raw, wire } = template;
  const entries: Entry[] = [
    ["definition", literalOf(wire)],
    ["parts", literalOf(parts)],
    ...(raw ? [["raw", "true"] as const] : []),
    ...handlerEntry(template),
    ...mockEntry(template),
    ...asksEntry(template),
    ...completions(template),
    ...listEntry(template),
    ...readSettings(template),
    ...(hasBody(template) ? bodyEntries(template.behaviour) : []),
  ];
  const types = [
    interfaceOf(
      variablesTypeName(template),
      variables.map(variableProperty),
      `The decoded variables of \`${name}\`.`,
    ),
    ...completionTypes(template),
  ];
  const completed = completionOf(template) !== undefined;
  return itemModule(
    template,
    { types, completed, codeTypes: [variablesTypeName(template)], entries },
    shared,
  );
}

/** The entry `list`: the function that lists instances, from people's code or from a body. */
function listEntry(template: ResourceTemplateModel): Entry[] {
  if (template.list === undefined) return [];
  const { module, exportName } = listCode(template);
  const path = template.list === "code" ? `../../${module}` : `../${listModulePath(template)}`;
  return [["list", lateImport(`${path}.ts`, exportName)]];
}

function variableProperty({
  name,
  list,
  required,
}: ResourceTemplateModel["variables"][number]): Property {
  return { name, type: list ? "string[]" : "string", optional: !required };
}
