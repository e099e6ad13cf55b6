import type { ClaimTypes } from "../model/auth.js";
import type { JsonObject } from "../model/json.js";
import type { ManifestPrompt, ManifestPromptArgument } from "../model/manifest.js";
import type { PromptModel } from "../model/server-model.js";
import { itemNames } from "../text/names.js";
import { normalizeAsks } from "./asks.js";
import { Completions } from "./completion.js";
import { normalizeMcpCall } from "./bodies/mcp.js";
import type { Databases } from "./bodies/sql.js";
import { normalizeContentBlock } from "./content.js";
import { toldDescription } from "./deprecation.js";
import { formerNames } from "./former-names.js";
import { pickDefined, wireFields } from "./pick.js";
import { itemSettings } from "./settings.js";

/** The model of a prompt. */
export function normalizePrompt(
  prompt: ManifestPrompt,
  databases: Databases = {},
  claims?: ClaimTypes,
): PromptModel {
  const declared = prompt.arguments ?? [];
  const names = declared.map(({ name }) => name);
  const completions = new Completions(names, databases, claims);
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
  name,
  messages,
  mcp,
  arguments: declared = [],
}: ManifestPrompt): PromptModel["behaviour"] {
  const placeholders = new Set(declared.map((argument) => argument.name));
  if (mcp !== undefined) return normalizeMcpCall(mcp, "prompt", name, placeholders);
  if (messages === undefined) return { kind: "handler" };
  return {
    kind: "messages",
    messages: messages.map(({ role, content }) => ({
      role,
      content: normalizeContentBlock(content, placeholders),
    })),
  };
}
