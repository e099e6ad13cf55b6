import type { JsonObject } from "../model/json.js";
import type { ManifestPrompt, ManifestPromptArgument } from "../model/manifest.js";
import type { PromptModel } from "../model/server-model.js";
import { itemNames } from "../text/names.js";
import { normalizeAsks } from "./asks.js";
import { completion } from "./completion.js";
import { normalizeContentBlock } from "./content.js";
import { formerNames } from "./former-names.js";
import { pickDefined, wireFields } from "./pick.js";
import { itemSettings } from "./settings.js";

export function normalizePrompt(prompt: ManifestPrompt): PromptModel {
  const declared = prompt.arguments ?? [];
  return {
    kind: "prompt",
    name: prompt.name,
    ...itemNames(prompt.name),
    ...formerNames(prompt),
    ...itemSettings(prompt),
    ...normalizeAsks(prompt),
    wire: {
      name: prompt.name,
      ...wireFields(prompt, ["title", "description"]),
      ...(prompt.arguments !== undefined && { arguments: declared.map(wireArgument) }),
      ...wireFields(prompt, ["icons", "_meta"]),
    },
    arguments: declared.map((argument) => ({
      name: argument.name,
      required: argument.required ?? false,
      ...pickDefined(argument, ["description"]),
      ...completion(argument.complete),
    })),
    behaviour: behaviourOf(prompt),
  };
}

function wireArgument(argument: ManifestPromptArgument): JsonObject {
  return {
    name: argument.name,
    ...wireFields(argument, ["title", "description", "required"]),
  };
}

function behaviourOf({
  messages,
  arguments: declared = [],
}: ManifestPrompt): PromptModel["behaviour"] {
  if (messages === undefined) return { kind: "handler" };
  const placeholders = new Set(declared.map((argument) => argument.name));
  return {
    kind: "messages",
    messages: messages.map(({ role, content }) => ({
      role,
      content: normalizeContentBlock(content, placeholders),
    })),
  };
}
