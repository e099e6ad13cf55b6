import type { Declaration } from "../declaration.js";
import type { FileStatement } from "../typescript-printer.js";
import type { ItemModel, ServerModel } from "../../model/server-model.js";
import { writeString } from "../../text/literal.js";
import { importTypes, interfaceOf, type Property } from "./structures.js";

/** The controls that handlers get. The manifest decides what they may change. */
export function controls(model: ServerModel): Property[] {
  const { tools, resources, resourceTemplates, prompts } = model;
  return [
    ...switches("tools", tools, "Switches the tools that have `enabled` in the manifest."),
    ...switches(
      "resources",
      [...resources, ...resourceTemplates],
      "Switches the resources and templates that have `enabled` in the manifest.",
    ),
    ...switches("prompts", prompts, "Switches the prompts that have `enabled` in the manifest."),
    ...notifier(model),
  ];
}

function switches(name: string, items: readonly ItemModel[], docs: string): Property[] {
  const names = items.filter(({ enabled }) => enabled !== undefined).map((item) => item.name);
  if (names.length === 0) return [];
  const type = `ItemSwitches<${names.map(writeString).join(" | ")}>`;
  return [{ name, type, docs, readonly: true }];
}

function notifier({ resources, resourceTemplates }: ServerModel): Property[] {
  const isWatched = [...resources, ...resourceTemplates].some(({ subscribe }) => subscribe);
  const methods = [
    ...(isWatched ? [writeString("resourceUpdated")] : []),
    ...(resourceTemplates.some(({ list }) => list !== undefined)
      ? [writeString("resourcesChanged")]
      : []),
  ];
  if (methods.length === 0) return [];
  const type = `Pick<Notifier, ${methods.join(" | ")}>`;
  return [{ name: "notify", type, docs: "Notifies clients of changes.", readonly: true }];
}

/** The type `ServerControls`. It also exists if nothing can be changed, since `createServices` uses it. */
export function controlTypes(model: ServerModel): Declaration {
  return interfaceOf(
    "ServerControls",
    controls(model),
    "Controls for handlers, and for the services that `createServices` makes, while the server runs.",
  );
}

/** The imports that the type `ServerControls` needs. */
export function controlImports(model: ServerModel): FileStatement[] {
  const members = controls(model);
  const hasSwitches = members.some(({ type }) => String(type).startsWith("ItemSwitches<"));
  const hasNotifier = members.some(({ type }) => String(type).startsWith("Pick<Notifier,"));
  return [
    ...(hasNotifier ? [importTypes("@mcpwright/runtime/changes", ["Notifier"])] : []),
    ...(hasSwitches ? [importTypes("@mcpwright/runtime/changes", ["ItemSwitches"])] : []),
  ];
}
