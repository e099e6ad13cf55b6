import type { JsonObject } from "../../model/json.js";
import type { EnvVariableModel, ServerModel } from "../../model/server-model.js";
import type { ListContract, ServerContract } from "../../../templates/runtime/testing/contract.js";

export function serverContract(model: ServerModel): ServerContract {
  const { name, title, version, description, websiteUrl, icons, instructions } = model;
  return {
    info: present({ name, title, version, description, websiteUrl, icons }),
    ...(instructions !== undefined && { instructions }),
    transports: model.transports.map((transport) => present({ ...transport })),
    ...(model.limits !== undefined && { limits: present(model.limits) }),
    env: model.env.map(({ description: _forReaders, ...variable }) => present(variable)),
    environment: Object.fromEntries(
      model.env
        .filter(({ required, default: value }) => required && value === undefined)
        .map((variable) => [variable.name, madeUpValue(variable)]),
    ),
    lists: lists(model),
  };
}

/** The fields that have a value, as JSON. */
function present(fields: object): JsonObject {
  return JSON.parse(JSON.stringify(fields)) as JsonObject;
}

function madeUpValue({ type, enum: choices }: EnvVariableModel): string {
  const made = { string: "test", number: "1", boolean: "true", url: "http://localhost/" };
  return String(choices?.[0] ?? made[type]);
}

/** The list methods of the capabilities that the server declares; resources and templates are one. */
function lists({ tools, resources, resourceTemplates, prompts }: ServerModel): ListContract[] {
  const hasResources = resources.length + resourceTemplates.length > 0;
  const all: (ListContract & { readonly offered: boolean })[] = [
    { method: "tools/list", key: "tools", length: tools.length, offered: tools.length > 0 },
    {
      method: "resources/list",
      key: "resources",
      length: resources.length,
      offered: hasResources,
    },
    {
      method: "resources/templates/list",
      key: "resourceTemplates",
      length: resourceTemplates.length,
      offered: hasResources,
    },
    { method: "prompts/list", key: "prompts", length: prompts.length, offered: prompts.length > 0 },
  ];
  return all
    .filter(({ offered }) => offered)
    .map(({ method, key, length }) => ({ method, key, length }));
}
