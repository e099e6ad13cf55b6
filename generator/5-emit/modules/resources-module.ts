import type { JsonValue } from "../../model/json.js";
import type {
  ResourceModel,
  ResourceTemplateModel,
  ServerModel,
} from "../../model/server-model.js";
import { literalOf, objectOf, type Code } from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import type { Declaration } from "../declaration.js";
import type { FileStatements } from "../typescript-printer.js";
import { validatorImports } from "../validators/validator-requests.js";
import { asksEntry } from "./asking.js";
import { checked, codeImports, codeTypesOf, completions } from "./completions.js";
import { handled, handlerModule, itemCode, listCode } from "./handler-files.js";
import { readSettings } from "./item-settings.js";
import { importOf, importTypes, entryFunction, listConstant } from "./structures.js";

/** `src/generated/resources.ts`: resources and resource templates, as they are listed and read. */
export function resourcesModule(model: ServerModel): FileStatements {
  const { resources, resourceTemplates } = model;
  const code = itemCode(model).filter(({ item }) => item.kind === "resourceTemplate");
  const own = [...handled(resources), ...handled(resourceTemplates)];
  const entryTypes = [
    ...(resources.length > 0 ? ["ResourceEntry"] : []),
    ...(resourceTemplates.length > 0 ? ["ResourceTemplateEntry"] : []),
  ];
  const handlerTypes = [
    ...codeTypesOf(code),
    ...(handled(resources).length > 0 ? ["ResourceHandler"] : []),
    ...(resourceTemplates.length > 0 ? ["ResourceTemplateHandler"] : []),
  ].sort();
  return [
    ...validatorImports(own),
    ...own.map((item) => importOf(`../${handlerModule(item)}.js`, [item.identifier])),
    ...codeImports(code),
    importTypes("./runtime/resources/definition.js", entryTypes),
    ...(handlerTypes.length > 0 ? [importTypes("./types.js", handlerTypes)] : []),
    entryFunction,
    ...(resources.length > 0 ? [resourcesConstant(resources)] : []),
    ...(resourceTemplates.length > 0 ? [templatesConstant(resourceTemplates)] : []),
  ];
}

function resourcesConstant(resources: readonly ResourceModel[]): Declaration {
  return listConstant(
    {
      name: "resources",
      entryType: "ResourceEntry",
      docs: "In the order in which `resources/list` gives them.",
    },
    resources.map(resourceEntry),
  );
}

function resourceEntry(resource: ResourceModel): Code {
  return objectOf([
    ["definition", literalOf(resource.wire)],
    ...readSettings(resource),
    ["behaviour", resourceBehaviour(resource)],
  ]);
}

function resourceBehaviour(resource: ResourceModel): Code {
  const { behaviour, identifier, name } = resource;
  if (behaviour.kind !== "handler") return literalOf({ ...behaviour });
  return objectOf([
    ["kind", '"handler"'],
    ["handler", `${identifier} satisfies ResourceHandler<${writeString(name)}>`],
    ...asksEntry(resource),
  ]);
}

function templatesConstant(templates: readonly ResourceTemplateModel[]): Declaration {
  return listConstant(
    {
      name: "resourceTemplates",
      entryType: "ResourceTemplateEntry",
      docs: "In the order in which `resources/templates/list` gives them, and in which they are tried.",
    },
    templates.map(templateEntry),
  );
}

function templateEntry(template: ResourceTemplateModel): Code {
  return objectOf([
    ["definition", literalOf(template.wire)],
    ["parts", literalOf(template.parts as unknown as JsonValue)],
    ...completions(template),
    ...(template.lists ? [["list", checked(listCode(template))] as const] : []),
    ...readSettings(template),
    [
      "behaviour",
      objectOf([
        ["kind", '"handler"'],
        [
          "handler",
          `${template.identifier} satisfies ResourceTemplateHandler<${writeString(template.name)}>`,
        ],
        ...asksEntry(template),
      ]),
    ],
  ]);
}
