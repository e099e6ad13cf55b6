import type { PromptModel, ServerModel } from "../../model/server-model.js";
import { listOf, literalOf, objectOf, type Code } from "../../text/code.js";
import { writeString } from "../../text/literal.js";
import type { FileStatements } from "../typescript-printer.js";
import { validatorImports } from "../validators/validator-requests.js";
import { asksEntry } from "./asking.js";
import { codeImports, codeTypesOf, completions } from "./completions.js";
import { fixedContent } from "./fixed-content.js";
import { handled, handlerModule, itemCode } from "./handler-files.js";
import { itemSettings } from "./item-settings.js";
import { importOf, importTypes, entryFunction, listConstant } from "./structures.js";

/** `src/generated/prompts.ts`: every prompt as it is listed and rendered. */
export function promptsModule(model: ServerModel): FileStatements {
  const { prompts } = model;
  const own = handled(prompts);
  const code = itemCode(model).filter(({ item }) => item.kind === "prompt");
  const types = [...codeTypesOf(code), ...(own.length > 0 ? ["PromptHandler"] : [])];
  return [
    ...validatorImports(own),
    ...own.map((prompt) => importOf(`../${handlerModule(prompt)}.js`, [prompt.identifier])),
    ...codeImports(code),
    importTypes("./runtime/prompts/definition.js", ["PromptEntry"]),
    ...(types.length > 0 ? [importTypes("./types.js", types)] : []),
    entryFunction,
    listConstant(
      {
        name: "prompts",
        entryType: "PromptEntry",
        docs: "In the order in which `prompts/list` gives them.",
      },
      prompts.map(promptEntry),
    ),
  ];
}

function promptEntry(prompt: PromptModel): Code {
  return objectOf([
    ["definition", literalOf(prompt.wire)],
    ...completions(prompt),
    ...itemSettings(prompt),
    ["behaviour", behaviour(prompt)],
  ]);
}

function behaviour(prompt: PromptModel): Code {
  const { behaviour, identifier, name } = prompt;
  if (behaviour.kind === "handler") {
    return objectOf([
      ["kind", '"handler"'],
      ["handler", `${identifier} satisfies PromptHandler<${writeString(name)}>`],
      ...asksEntry(prompt),
    ]);
  }
  const messages = behaviour.messages.map(({ role, content }) =>
    objectOf([
      ["role", writeString(role)],
      ["content", fixedContent(content)],
    ]),
  );
  return objectOf([
    ["kind", '"messages"'],
    ["messages", listOf(messages)],
  ]);
}
