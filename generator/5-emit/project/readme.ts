import type { ItemKind, ItemModel, ServerModel } from "../../model/server-model.js";
import { handlerPath, starterTestPath } from "../modules/handler-files.js";
import { clientEntries } from "./client-entries.js";
import { nodeVersion } from "./dependency-versions.js";
import { facts } from "./env-example.js";
import { hasStdio, httpTransport, localUrl } from "./package-json.js";

/** How many items of a kind the README names; SERVER.md has them all. */
const SHOWN_ITEMS = 20;

/** What the template of README.md shows. Absent values are null, since its engine is strict. */
export function readmeView(model: ServerModel): object {
  const http = httpTransport(model);
  return {
    title: model.title ?? model.name,
    packageName: model.name,
    npxCommand: `npx -y ${model.name} ${hasStdio(model) ? "--stdio" : "--http"}`,
    description: model.description ?? null,
    nodeVersion,
    stdio: hasStdio(model),
    http: http === undefined ? null : { url: localUrl(http), port: http.port, health: http.health },
    offers: [
      listView("Tools", model.tools),
      listView("Resources", [...model.resources, ...model.resourceTemplates]),
      listView("Prompts", model.prompts),
    ].filter(({ items }) => items.length > 0),
    env: model.env.map((variable) => ({
      name: variable.name,
      facts: facts(variable),
      description: variable.description ?? "",
    })),
    handler: firstHandler(model),
    clients: clientEntries(model),
  };
}

function listView(heading: string, all: readonly ItemModel[]) {
  const items = all.slice(0, SHOWN_ITEMS).map(({ name, wire }) => ({
    name,
    summary: firstText(wire["title"], wire["description"]),
  }));
  return { heading, items, more: all.length - items.length };
}

function firstText(...candidates: unknown[]): string {
  return String(candidates.find((text) => typeof text === "string" && text !== "") ?? "");
}

/** The handler that "How to write a handler" uses as its example: a tool's if there is one. */
function firstHandler(model: ServerModel): object | null {
  const items: readonly ItemModel[] = [
    ...model.tools,
    ...model.prompts,
    ...model.resourceTemplates,
    ...model.resources,
  ];
  const item = items.find(({ behaviour }) => behaviour.kind === "handler");
  if (item === undefined) return null;
  return {
    type: HANDLER_TYPES[item.kind],
    isTool: item.kind === "tool",
    name: item.name,
    identifier: item.identifier,
    path: handlerPath(item),
    testPath: starterTestPath(item),
    returnsValue: item.kind === "tool" && item.output !== undefined,
  };
}

const HANDLER_TYPES: Readonly<Record<ItemKind, string>> = {
  tool: "ToolHandler",
  prompt: "PromptHandler",
  resource: "ResourceHandler",
  resourceTemplate: "ResourceTemplateHandler",
};
