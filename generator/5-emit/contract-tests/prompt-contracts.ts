import { offeredValues } from "../../bodies/index.js";
import type {
  CompletionModel,
  PromptArgumentModel,
  PromptModel,
  ServerModel,
} from "../../model/server-model.js";
import type { CompletionContract } from "../../../templates/runtime/suite/items/completions.js";
import type {
  PromptContract,
  PromptsContract,
} from "../../../templates/runtime/suite/items/prompt-contract.js";
import { mockText } from "../modules/item-module.js";
import { expectedBlock } from "./expected-text.js";
import { itemSettings } from "./server-contract.js";

/** The protocol's limit for the number of values of one completion. */
const MAX_COMPLETION_VALUES = 100;

/** The contract of all prompts of a server. */
export function promptsContract(model: ServerModel): Omit<PromptsContract, "settings"> {
  const { prompts } = model;
  return {
    list: prompts.map(({ wire }) => wire),
    prompts: prompts.map(promptContract),
  };
}

function promptContract(prompt: PromptModel): PromptContract {
  const { name, wire, behaviour } = prompt;
  const mock = mockText(prompt);
  const required = prompt.arguments.filter((argument) => argument.required);
  const variants =
    required.length < prompt.arguments.length ? [prompt.arguments, required] : [required];
  return {
    name,
    ...itemSettings(prompt),
    ...(typeof wire["description"] === "string" && { description: wire["description"] }),
    required: required.map((argument) => argument.name),
    cases: variants.map(argumentValues).map((values) => ({
      arguments: values,
      ...(behaviour.kind === "messages" && {
        messages: behaviour.messages.map(({ role, content }) => ({
          role,
          content: expectedBlock(content, values),
        })),
      }),
    })),
    completions: completionContracts(prompt.arguments),
    ...(mock !== undefined && { mockText: mock }),
  };
}

/** A distinct value for each argument, with text that a faulty renderer would expand a second time. */
export function argumentValues(declared: readonly PromptArgumentModel[]): Record<string, string> {
  const values = declared.map(({ name }, index): [string, string] => [
    name,
    `value ${index + 1} {{${name}}} $& $1`,
  ]);
  return Object.fromEntries(values);
}

/** The contracts of the arguments or variables that are completed. */
export function completionContracts(
  declared: readonly { readonly name: string; readonly complete?: CompletionModel }[],
): CompletionContract[] {
  return declared.flatMap(({ name, complete }): CompletionContract[] => {
    if (complete === undefined) return [];
    const offered = offeredValues(complete);
    if (offered !== undefined) {
      const values = offered.slice(0, MAX_COMPLETION_VALUES);
      return [{ argument: name, values, total: offered.length }];
    }
    const others = declared.filter((other) => other.name !== name);
    const given = Object.fromEntries(others.map((other) => [other.name, `some ${other.name}`]));
    return [{ argument: name, given }];
  });
}
