import { isJsonObject, type JsonObject } from "../../model/json.js";
import type {
  ElicitationModel,
  FormModel,
  ItemModel,
  ServerModel,
} from "../../model/server-model.js";
import type { TextTemplate } from "../../model/text-template.js";
import type {
  AskingContract,
  QuestionContract,
  QuestionsContract,
} from "../../../templates/runtime/suite/items/question-contract.js";
import { isBeyondLimits } from "./argument-limits.js";
import { askingItems, formSchema } from "../modules/asking.js";
import { itemsOf } from "../../model/items.js";
import { expectedText } from "./expected-text.js";
import { argumentValues } from "./prompt-contracts.js";
import { schemaInstances } from "./schema-instances.js";
import { isReadable } from "./resource-contracts.js";
import { matchingUris } from "./uri-instances.js";

/** The items whose questions are tested: those for which a valid request could be generated. */
export function askedItems(model: ServerModel): readonly ItemModel[] {
  return askingItems(itemsOf(model)).filter((item) => requestOf(item, model) !== undefined);
}

/** The questions that handlers may ask, in the form that clients must receive, with answers to them. */
export function questionsContract(model: ServerModel): QuestionsContract {
  const items = askingItems(itemsOf(model)).flatMap((item): AskingContract[] => {
    const request = requestOf(item, model);
    if (request === undefined) return [];
    const { elicitations, sampling, roots } = item.asks;
    return [
      {
        kind: item.kind,
        name: item.name,
        ...(item.enabled === false && { enabled: false as const }),
        request,
        questions: elicitations.map((elicitation) => questionContract(elicitation, model)),
        sampling,
        roots,
      },
    ];
  });
  return { items };
}

/** A request that reaches the item's handler; undefined if none could be generated within the limits. */
function requestOf(item: ItemModel, model: ServerModel): AskingContract["request"] | undefined {
  const { name } = item;
  switch (item.kind) {
    case "tool": {
      const values = schemaInstances(model, item.input.wire)
        .valid.filter(isJsonObject)
        .find((candidate) => !isBeyondLimits(candidate, model));
      return values && { method: "tools/call", params: { name, arguments: values } };
    }
    case "prompt":
      return {
        method: "prompts/get",
        params: { name, arguments: argumentValues(item.arguments) },
      };
    case "resource":
      return isReadable(item.uri, model)
        ? { method: "resources/read", params: { uri: item.uri } }
        : undefined;
    case "resourceTemplate": {
      const instance = matchingUris(item).find(({ uri }) => isReadable(uri, model));
      return instance && { method: "resources/read", params: { uri: instance.uri } };
    }
  }
}

function questionContract(elicitation: ElicitationModel, model: ServerModel): QuestionContract {
  const { key } = elicitation;
  // A faulty renderer would expand these values a second time, or would not encode them.
  const values = Object.fromEntries(
    elicitation.values.map(({ name }, index) => [name, `value ${index + 1} {{${name}}} & /`]),
  );
  const message = expectedText(elicitation.message, values);
  if (elicitation.kind === "url") {
    const params = { mode: "url", message, url: expectedUrl(elicitation.url, values) };
    return { key, values, params, accepted: [], refused: [] };
  }
  const { valid, breaking } = schemaInstances(model, formSchema(elicitation));
  return {
    key,
    values,
    params: { message, requestedSchema: elicitation.schema },
    accepted: valid.filter(isJsonObject).map((content) => ({
      content,
      received: declaredFields(elicitation, content),
    })),
    refused: breaking
      .filter(({ value }) => isJsonObject(value))
      .map(({ constraint, value }) => ({ value, breaks: constraint })),
  };
}

/** The fields of an answer that the form declares. Only these reach the handler. */
function declaredFields({ schema }: FormModel, content: JsonObject): JsonObject {
  const fields = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const declared = Object.entries(content).filter(([name]) => Object.hasOwn(fields, name));
  return Object.fromEntries(declared);
}

function expectedUrl(template: TextTemplate, values: Readonly<Record<string, string>>): string {
  const encoded = Object.entries(values).map(([name, value]) => [name, encodeURIComponent(value)]);
  return expectedText(template, Object.fromEntries(encoded) as JsonObject);
}
