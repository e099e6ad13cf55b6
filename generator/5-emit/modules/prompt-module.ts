import type { PromptModel } from "../../model/server-model.js";
import { argumentsTypeName } from "../../model/type-names.js";
import { listOf, literalOf, objectOf } from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import type { Declaration } from "../declaration.js";
import { hasCode } from "../bodies/body-items.js";
import { completionSources } from "../bodies/source-code.js";
import type { SharedTypes } from "../types/emit-types.js";
import { asksEntry } from "./asking.js";
import { completionTypes, completions } from "./completions.js";
import { fixedContent } from "./fixed-content.js";
import { completionOf } from "./handler-files.js";
import { handlerEntry, itemModule, mockEntry, type ItemModule } from "./item-module.js";
import { itemSettings, type Entry } from "./item-settings.js";
import { interfaceOf } from "./structures.js";

/** `src/generated/prompts/<prompt>.ts`: the types and the entry of a prompt. */
export function promptModule(prompt: PromptModel, shared: SharedTypes): ItemModule {
  const usesArguments =
    hasCode(prompt) || completionOf(prompt) !== undefined || completionSources(prompt).length > 0;
  const entries: Entry[] = [
    ["definition", literalOf(prompt.wire)],
    ...messagesEntry(prompt),
    ...handlerEntry(prompt),
    ...mockEntry(prompt),
    ...asksEntry(prompt),
    ...completions(prompt),
    ...itemSettings(prompt),
  ];
  return itemModule(
    prompt,
    {
      types: [...(usesArguments ? [argumentsType(prompt)] : []), ...completionTypes(prompt)],
      completed: completionOf(prompt) !== undefined,
      ...(usesArguments && { codeTypes: [argumentsTypeName(prompt)] }),
      entries,
    },
    shared,
  );
}

function argumentsType(prompt: PromptModel): Declaration {
  return interfaceOf(
    argumentsTypeName(prompt),
    prompt.arguments.map(({ name, required, description }) => ({
      name,
      type: "string",
      optional: !required,
      ...(description !== undefined && { docs: description }),
    })),
    `The arguments of \`${prompt.name}\`.`,
  );
}

/** The entry `messages`, if the manifest has the messages. */
function messagesEntry({ behaviour }: PromptModel): Entry[] {
  if (behaviour.kind !== "messages") return [];
  const messages = behaviour.messages.map(({ role, content }) =>
    objectOf([
      ["role", writeString(role)],
      ["content", fixedContent(content)],
    ]),
  );
  return [["messages", listOf(messages)]];
}
