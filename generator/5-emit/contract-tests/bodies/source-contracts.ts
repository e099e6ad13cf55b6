import type { BodyCase, BodyContract } from "../../../../templates/runtime/suite/items/bodies.js";
import type {
  DatabaseCase,
  DatabaseItemContract,
} from "../../../../templates/runtime/suite/items/databases.js";
import { expandUri } from "../../../../templates/runtime/resources/instances.js";
import { isSource, type HttpBodyModel, type SourceModel } from "../../../model/bodies.js";
import type { JsonObject, JsonValue } from "../../../model/json.js";
import type { ResourceTemplateModel, ServerModel } from "../../../model/server-model.js";
import { completionSources, type CompletedItem } from "../../bodies/source-code.js";
import { handlerModule } from "../../modules/handler-files.js";
import { ownUris } from "../resource-contracts.js";
import { itemSettings } from "../server-contract.js";
import { HOSTILE_TEXTS } from "./database-contracts.js";
import { expectedRequest } from "./expected-request.js";
import { failures, lastPage, mayBeSent, placed } from "./http-cases.js";

/** What is tested of the bodies that complete an item, or that list its instances. */
export interface SourceContract<Contract> {
  /** Of the file, from the folder of all contracts. */
  readonly name: string;
  readonly contract: Contract;
}

/** What an item is asked for values with. */
interface Asked {
  readonly item: CompletedItem;
  readonly source: SourceModel;
  /** The argument or variable that is completed; absent where instances are listed. */
  readonly completed?: string;
}

/** The bodies that ask upstreams. */
export function playedSources(model: ServerModel): SourceContract<BodyContract>[] {
  if ((model.upstreams ?? []).length === 0) return [];
  return grouped("bodies", model, "http").map(({ name, item, asked }) => {
    const cases = asked.flatMap((one) => httpCases(one, model));
    return { name, contract: { ...itemPart(item), cases } };
  });
}

/** The bodies that ask databases. */
export function databaseSources(model: ServerModel): SourceContract<DatabaseItemContract>[] {
  if ((model.databases ?? []).length === 0) return [];
  return grouped("databases", model, "sql").map(({ name, item, asked }) => ({
    name,
    contract: { ...itemPart(item), cases: asked.flatMap(databaseCases) },
  }));
}

function itemPart(item: CompletedItem): Pick<BodyContract, "kind" | "name" | "enabled"> {
  const kind = item.kind === "prompt" ? "prompts" : "resources";
  return { kind, name: item.name, ...itemSettings(item) };
}

function grouped(
  folder: string,
  model: ServerModel,
  kind: SourceModel["kind"],
): { name: string; item: CompletedItem; asked: Asked[] }[] {
  const items: CompletedItem[] = [...model.prompts, ...model.resourceTemplates];
  const groups = items.flatMap((item) => {
    const path = `${folder}/${handlerModule(item)}`;
    return [
      { name: `${path}.complete`, item, asked: completionsOf(item) },
      { name: `${path}.list`, item, asked: listOf(item, model) },
    ];
  });
  return groups
    .map((group) => ({ ...group, asked: group.asked.filter(({ source }) => source.kind === kind) }))
    .filter(({ asked }) => asked.length > 0);
}

function completionsOf(item: CompletedItem): Asked[] {
  return completionSources(item).map(([completed, source]) => ({ item, source, completed }));
}

/** Only where nothing else lists: the request is for the instances of all templates, whose code does as it likes. */
function listOf(item: CompletedItem, { resourceTemplates, pageSize }: ServerModel): Asked[] {
  if (item.kind === "prompt" || !isSource(item.list)) return [];
  const isAlone = resourceTemplates.every(({ list }) => list === undefined || list === item.list);
  const isWhole = pageSize === undefined && item.scopes === undefined;
  return isAlone && isWhole ? [{ item, source: item.list }] : [];
}

/** What is typed in tests, and a text that would lead elsewhere, were it not encoded. */
const TYPED = "T";
const HOSTILE_TYPED = "T&a=b;c/../d?e#f\"'%2e";

function completionRequest(item: CompletedItem, name: string, typed: string): JsonObject {
  const ref: JsonObject =
    item.kind === "prompt"
      ? { type: "ref/prompt", name: item.name }
      : { type: "ref/resource", uri: item.uriTemplate };
  return { ref, argument: { name, value: typed }, context: { arguments: givenTo(item, name) } };
}

/** Values of the others, which the client says that it knows. */
function givenTo(item: CompletedItem, completed: string): JsonObject {
  const declared = item.kind === "prompt" ? item.arguments : item.variables;
  const others = declared.filter(({ name }) => name !== completed);
  return Object.fromEntries(others.map(({ name }) => [name, `some ${name}`]));
}

function httpCases(asked: Asked, model: ServerModel): BodyCase[] {
  const { source, item, completed } = asked;
  if (source.kind !== "http") return [];
  const usual =
    completed === undefined
      ? listCases(item as ResourceTemplateModel, source, model)
      : [TYPED, HOSTILE_TYPED].flatMap((typed) =>
          completionCases(item, completed, typed, source, model),
        );
  const [first] = usual;
  if (first === undefined) return [];
  const received = completed === undefined ? {} : receivedBy(item, completed, TYPED);
  const { parameters, method } = first;
  const prefix = completed ?? "the instances";
  const failed = failures(parameters, received, source, false).map((one) => ({
    ...one,
    ...(method !== undefined && { method }),
    name: `${prefix}: ${one.name}`,
  }));
  return [...usual, ...failed];
}

const receivedBy = (item: CompletedItem, name: string, typed: string): JsonObject => ({
  [name]: typed,
  ...givenTo(item, name),
});

/** At most one. */
function completionCases(
  item: CompletedItem,
  name: string,
  typed: string,
  body: HttpBodyModel,
  model: ServerModel,
): BodyCase[] {
  const received = receivedBy(item, name, typed);
  if (!mayBeSent(body, received)) return [];
  const values = [`${typed}1`, `${typed.toLowerCase()}2`];
  const [field] = body.result.fields ?? [];
  const made = field === undefined ? values : values.map((value) => ({ [field]: value }));
  return [
    {
      name: typed === TYPED ? `values for ${name}` : `${name} is only a value: ${typed}`,
      method: "completion/complete",
      parameters: completionRequest(item, name, typed),
      answers: answersOf(made, body),
      request: expectedRequest(body, received, model),
      result: { completion: { values, total: values.length, hasMore: false } },
    },
  ];
}

function answersOf(made: JsonValue, body: HttpBodyModel): BodyCase["answers"] {
  return [{ body: placed(made, body.result.from ?? "") }, ...lastPage(body)];
}

/** At most one. The list has the resources of the manifest first. */
function listCases(
  template: ResourceTemplateModel,
  body: HttpBodyModel,
  model: ServerModel,
): BodyCase[] {
  const { parts, mimeType, wire } = template;
  const [own] = ownUris(template, model).filter(({ uri, variables }) => {
    const { fields = Object.keys(variables) } = body.result;
    const isWhole = Object.keys(variables).every((name) => fields.includes(name));
    return isWhole && uri === expandUri(parts, variables as never);
  });
  if (own === undefined || !mayBeSent(body, {})) return [];
  const { uri, variables } = own;
  const named = Object.hasOwn(variables, "name") ? [variables["name"]] : Object.values(variables);
  const instance = {
    uri,
    ...(mimeType !== undefined && { mimeType }),
    name: named.flat().join("/"),
  };
  const listed = model.resources.filter(({ enabled }) => enabled !== false);
  const test: BodyCase = {
    name: `the instances of ${String(wire["name"])}`,
    method: "resources/list",
    parameters: {},
    answers: answersOf([variables], body),
    request: expectedRequest(body, {}, model),
    result: { resources: [...listed.map((resource) => resource.wire), instance] },
  };
  return [test];
}

/** What is typed is bound, whatever it is. */
function databaseCases({ item, source, completed }: Asked): DatabaseCase[] {
  if (source.kind !== "sql") return [];
  const { database } = source;
  if (completed === undefined) {
    const parameters = {};
    return [{ name: "the instances", database, method: "resources/list", parameters }];
  }
  return ["", ...HOSTILE_TEXTS].map((typed) => ({
    name: typed === "" ? `values for ${completed}` : `${completed} is bound: ${typed}`,
    database,
    method: "completion/complete",
    parameters: completionRequest(item, completed, typed),
    isMadeUp: true,
  }));
}
