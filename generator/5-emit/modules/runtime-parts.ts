import type { ImportDeclarationStructure } from "ts-morph";
import type { ServerModel } from "../../model/server-model.js";
import { asksAnything, itemsOf } from "./asking.js";
import { importOf } from "./structures.js";

/** A part of the runtime that only some projects have: their definition names what makes it. */
interface RuntimePart {
  /** Its module in the runtime, without the extension. */
  readonly module: string;
  readonly creator: string;
  isUsed(model: ServerModel): boolean;
}

const RUNTIME_PARTS: readonly RuntimePart[] = [
  { module: "asking/asking", creator: "createAsking", isUsed: asksAnything },
  { module: "engine/completion", creator: "createCompletion", isUsed: completesAnything },
  { module: "authentication/item-scopes", creator: "createScopes", isUsed: needsScopes },
  { module: "observe/metrics", creator: "createMetrics", isUsed: hasMetrics },
  { module: "engine/prompts", creator: "createPrompts", isUsed: hasPrompts },
  { module: "resources/resources", creator: "createResources", isUsed: hasResources },
];

/** The imports of the parts that a server uses, by the names of the modules. */
export function runtimePartImports(model: ServerModel): ImportDeclarationStructure[] {
  return partsOf(model).map(({ module, creator }) => importOf(`./runtime/${module}.js`, [creator]));
}

/** The members of the definition that name them. */
export function runtimePartEntries(model: ServerModel): (readonly [string, string])[] {
  return partsOf(model).map(({ creator }) => [creator, creator] as const);
}

function partsOf(model: ServerModel): RuntimePart[] {
  return RUNTIME_PARTS.filter(({ isUsed }) => isUsed(model));
}

/** Whether the server has a page of metrics. */
export function hasMetrics({ transports }: ServerModel): boolean {
  return transports.some(({ type, ...rest }) => type === "http" && "metrics" in rest);
}

export function hasResources({ resources, resourceTemplates }: ServerModel): boolean {
  return resources.length + resourceTemplates.length > 0;
}

export function hasPrompts({ prompts }: ServerModel): boolean {
  return prompts.length > 0;
}

/** Whether any item needs scopes. */
export function needsScopes(model: ServerModel): boolean {
  return itemsOf(model).some(({ scopes }) => scopes !== undefined);
}

/** Whether any argument of a prompt or variable of a template has values to offer. */
export function completesAnything({ prompts, resourceTemplates }: ServerModel): boolean {
  const places = [
    ...prompts.flatMap((prompt) => prompt.arguments),
    ...resourceTemplates.flatMap((template) => template.variables),
  ];
  return places.some(({ complete }) => complete !== undefined);
}
