import type { FileStatement } from "../typescript-printer.js";
import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import type {
  AsksModel,
  ElicitationModel,
  FormModel,
  ItemKind,
  ItemModel,
  ServerModel,
} from "../../model/server-model.js";
import { itemsOf } from "../../model/items.js";
import { onceForEach } from "../../model/once-for-each.js";
import {
  answersTypeName,
  asksTypeName,
  formValidatorNames,
  questionsTypeName,
} from "../../model/type-names.js";
import {
  conditionalType,
  genericOf,
  intersectionOf,
  literalOf,
  objectOf,
  sequenceOf,
  shortMembersOf,
  type Code,
} from "../../text/code.js";
import { writeKey, writeString } from "../../text/literal.js";
import type { Declaration } from "../declaration.js";
import type { TypeRequest } from "../types/emit-types.js";
import type { ValidatorRequest } from "../validators/emit-validators.js";
import { validatorsSpecifier } from "./module-names.js";
import type { Entry } from "./item-settings.js";
import { importOf, importTypes, interfaceOf, lateImport, typeAlias } from "./structures.js";

type AskingItem = ItemModel & { readonly asks: AsksModel };

/** The items whose handlers may ask the client for something. */
export const askingItems = onceForEach((items: readonly ItemModel[]): readonly AskingItem[] =>
  items.filter(mayAsk),
);

/** True if any handler of the server may ask the client for something. */
export function asksAnything(model: ServerModel): boolean {
  return askingItems(itemsOf(model)).length > 0;
}

/** True if users are asked before some tool runs. */
export function needsConsent({ tools }: ServerModel): boolean {
  return tools.some(({ confirm }) => confirm !== undefined);
}

const isForm = (elicitation: ElicitationModel): elicitation is FormModel =>
  elicitation.kind === "form";

/** The forms of the items, each with its item. */
function formsOf(items: readonly ItemModel[]): { item: AskingItem; form: FormModel }[] {
  return askingItems(items).flatMap((item) =>
    item.asks.elicitations.filter(isForm).map((form) => ({ item, form })),
  );
}

/** Requests for the validators of an item's forms. Answers to forms are checked as arguments of tools are. */
export function formValidators(item: ItemModel): ValidatorRequest[] {
  const names = formNames(item);
  return formsOf([item]).map(({ form }) => ({
    exportName: names.get(form.key) ?? "",
    schema: formSchema(form),
  }));
}

/** The names of the validators of an item's forms, by the keys of the forms. */
function formNames(item: ItemModel): ReadonlyMap<string, string> {
  return formValidatorNames(formsOf([item]).map(({ form }) => form.key));
}

/**
 * The schema for the answers to a form. It has no `enumNames`, an older way to give titles that is not a
 * keyword of JSON Schema.
 */
export function formSchema({ schema }: FormModel): JsonObject {
  const { properties } = schema;
  if (!isJsonObject(properties)) return schema;
  const fields = Object.entries(properties).map(([name, field]): [string, JsonValue] => {
    if (!isJsonObject(field)) return [name, field];
    const { enumNames: _titles, ...fieldSchema } = field;
    return [name, fieldSchema];
  });
  return { ...schema, properties: Object.fromEntries(fields) };
}

/** The entry `asks` of an item; empty if its handler asks nothing. */
export function asksEntry(item: ItemModel): Entry[] {
  if (!mayAsk(item)) return [];
  const { asks } = item;
  const elicitations = asks.elicitations.map((elicitation): Entry => [
    elicitation.key,
    elicitationLiteral(item, elicitation),
  ]);
  const entries: Entry[] = [];
  if (elicitations.length > 0) entries.push(["elicitations", objectOf(elicitations)]);
  if (asks.sampling) entries.push(["sampling", "true"]);
  if (asks.roots) entries.push(["roots", "true"]);
  return [["asks", sequenceOf(["defineAsks(", objectOf(entries), ")"])]];
}

function elicitationLiteral(item: ItemModel, elicitation: ElicitationModel): Code {
  const common: Entry[] = [
    ["kind", writeString(elicitation.kind)],
    ["message", literalOf(elicitation.message)],
  ];
  const formName = formNames(item).get(elicitation.key) ?? "";
  return elicitation.kind === "url"
    ? objectOf([...common, ["url", literalOf(elicitation.url)]])
    : objectOf([
        ...common,
        ["requestedSchema", literalOf(elicitation.schema)],
        ["validator", lateImport(validatorsSpecifier(item), formName)],
      ]);
}

/** The request for the type of users' answers to an item, by question; empty if it asks no questions. */
export function answerTypes(item: ItemModel): TypeRequest[] {
  const elicitations = item.asks?.elicitations ?? [];
  if (elicitations.length === 0) return [];
  const properties = elicitations.map((elicitation): [string, JsonSchema] => [
    elicitation.key,
    isForm(elicitation) ? closedFormSchema(elicitation) : { const: true },
  ]);
  const schema = {
    description: `The users' answers to questions of ${item.name}.`,
    type: "object",
    properties: Object.fromEntries(properties),
    required: elicitations.map(({ key }) => key),
    additionalProperties: false,
  };
  return [{ typeName: answersTypeName(item), schema, mode: "value" }];
}

/** The schema of a form without other members, since the runtime passes on only fields of the form. */
function closedFormSchema(form: FormModel): JsonObject {
  return { ...formSchema(form), additionalProperties: false };
}

const LISTS: Readonly<Record<ItemKind, { stem: string; name: string; of: string }>> = {
  tool: { stem: "Tool", name: "ToolName", of: "tool" },
  resource: { stem: "Resource", name: "ResourceName", of: "resource" },
  resourceTemplate: { stem: "Template", name: "ResourceTemplateName", of: "template" },
  prompt: { stem: "Prompt", name: "PromptName", of: "prompt" },
};

/** The type of a handler's second argument. If any handler of the kind may ask, it depends on the item. */
export function contextType(items: readonly ItemModel[]): string {
  const [item] = askingItems(items);
  return item === undefined ? "Context" : `${LISTS[item.kind].stem}Context<Name>`;
}

/** The types of the contexts of items of one kind, if any of them may ask. */
export function contextTypes(items: readonly ItemModel[]): Declaration[] {
  const asking = askingItems(items);
  const [first] = asking;
  if (first === undefined) return [];
  const { stem, name, of } = LISTS[first.kind];
  const asks = `${stem}Asks`;
  return [
    interfaceOf(
      asks,
      asking.map((item) => ({ name: item.name, type: asksTypeName(item) })),
      `The functions by which the handler of a ${of} may ask its client, for each ${of} that may ask.`,
    ),
    typeAlias(
      `${stem}Context`,
      conditionalType(`Name extends keyof ${asks}`, `Context & ${asks}[Name]`, "Context"),
      `The second argument of the handler of a ${of}.`,
      [`Name extends ${name}`],
    ),
  ];
}

/** True if an item has a handler that may ask. */
export function mayAsk(item: ItemModel): item is AskingItem {
  return item.behaviour.kind === "handler" && item.asks !== undefined;
}

/** The types of the context's members by which a handler asks; empty if it asks nothing. */
export function askingTypes(item: ItemModel): Declaration[] {
  if (!mayAsk(item)) return [];
  const asks = typeAlias(
    asksTypeName(item),
    asksType(item),
    `The functions by which the handler of \`${item.name}\` may ask its client.`,
  );
  return item.asks.elicitations.length > 0 ? [questionsType(item), asks] : [asks];
}

function asksType(item: AskingItem): Code {
  const { elicitations, sampling, roots } = item.asks;
  const elicit = { name: "readonly elicit", type: questionsTypeName(item) };
  return intersectionOf([
    ...(elicitations.length > 0 ? [shortMembersOf([elicit])] : []),
    ...(sampling ? ["SamplingContext"] : []),
    ...(roots ? ["RootsContext"] : []),
  ]);
}

function questionsType(item: AskingItem): Declaration {
  return interfaceOf(
    questionsTypeName(item),
    item.asks.elicitations.map((elicitation) => ({
      name: elicitation.key,
      type: genericOf("Elicit", [
        valuesType(elicitation),
        `${answersTypeName(item)}[${writeString(elicitation.key)}]`,
      ]),
      readonly: true,
      docs: elicitation.text,
    })),
    `The questions of \`${item.name}\`.`,
  );
}

function valuesType({ values }: ElicitationModel): Code {
  if (values.length === 0) return "NoValues";
  const members = values.map(({ name, required }) => ({
    name: `${writeKey(name)}${required ? "" : "?"}`,
    type: "string | number | boolean",
  }));
  return shortMembersOf(members);
}

/** The imports that the types of `askingTypes` and the entry `asks` need. */
export function askingImports(item: ItemModel): FileStatement[] {
  if (!mayAsk(item)) return [];
  const { elicitations, sampling, roots } = item.asks;
  const names = [
    ...(elicitations.length > 0 ? ["Elicit"] : []),
    ...(elicitations.some(({ values }) => values.length === 0) ? ["NoValues"] : []),
    ...(roots ? ["RootsContext"] : []),
    ...(sampling ? ["SamplingContext"] : []),
  ];
  return [
    ...(names.length === 0 ? [] : [importTypes("@mcpwright/runtime/asking", names)]),
    importOf("@mcpwright/runtime/asking", ["defineAsks"]),
  ];
}
