import type { ManifestServices } from "../bodies/definition.js";
import { readBody } from "../bodies/index.js";
import type { JsonObject } from "../model/json.js";
import type { ManifestPrompt, ManifestPromptArgument } from "../model/manifest.js";
import type { PromptModel } from "../model/server-model.js";
import { itemNames } from "../text/names.js";
import { normalizeAsks } from "./asks.js";
import { Completions } from "./completion.js";
import { normalizeContentBlock } from "./content.js";
import { toldDescription } from "./deprecation.js";
import { formerNames } from "./former-names.js";
import { pickDefined, wireFields } from "../model/pick.js";
import { itemSettings } from "./settings.js";

/** The model of a prompt. */
export function normalizePrompt(
  prompt: ManifestPrompt,
  services: ManifestServices = {},
): PromptModel {
  const declared = prompt.arguments ?? [];
  const names = declared.map(({ name }) => name);
  const completions = new Completions(names, services);
  return {
    kind: "prompt",
    name: prompt.name,
    ...itemNames(prompt.name),
    ...formerNames(prompt),
    ...itemSettings(prompt),
    ...normalizeAsks(prompt),
    wire: {
      name: prompt.name,
      ...wireFields(prompt, ["title"]),
      ...toldDescription(prompt),
      ...(prompt.arguments !== undefined && { arguments: declared.map(wireArgument) }),
      ...wireFields(prompt, ["icons", "_meta"]),
    },
    arguments: declared.map((argument) => ({
      name: argument.name,
      required: argument.required ?? false,
      ...pickDefined(argument, ["description"]),
      ...completions.of(argument.name, argument.complete),
    })),
    behaviour: behaviourOf(prompt, names, services),
  };
}

function wireArgument(argument: ManifestPromptArgument): JsonObject {
  return {
    name: argument.name,
    ...wireFields(argument, ["title", "description", "required"]),
  };
}

function behaviourOf(
  prompt: ManifestPrompt,
  names: readonly string[],
  services: ManifestServices,
): PromptModel["behaviour"] {
  const { name, messages } = prompt;
  const counterpart = { asks: "prompt" as const, name };
  const body = readBody(prompt, { ...services, arguments: names, counterpart });
  if (body !== undefined) return body;
  if (messages === undefined) return { kind: "handler" };
  const placeholders = new Set(names);
  return {
    kind: "messages",
    messages: messages.map(({ role, content }) => ({
      role,
      content: normalizeContentBlock(content, placeholders),
    })),
  };
}
