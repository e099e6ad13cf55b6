import type { BodyCase, BodyContract } from "../../../../templates/runtime/suite/items/bodies.js";
import type {
  DatabaseCase,
  DatabaseItemContract,
} from "../../../../templates/runtime/suite/items/databases.js";
import { expandUri } from "../../../../templates/runtime/resources/instances.js";
import { isSource } from "../../../bodies/index.js";
import type { HttpBodyModel, SourceModel } from "../../../model/bodies.js";
import type { JsonObject, JsonValue } from "../../../model/json.js";
import type { ResourceTemplateModel, ServerModel } from "../../../model/server-model.js";
import { completionSources, type CompletedItem } from "../../bodies/source-code.js";
import { handlerModule } from "../../modules/handler-files.js";
import { ownUris } from "../resource-contracts.js";
import { itemSettings } from "../server-contract.js";
import { INJECTED_STATEMENT } from "./database-contracts.js";
import { testCaller } from "./test-caller.js";
import { expectedRequest } from "./expected-request.js";
import { statusCases, lastPage, mayBeSent, valueAtPointer } from "./http-cases.js";

/** The contract of the bodies that complete the arguments of an item, or that list its instances. */
export interface SourceContract<Contract> {
  /** Name of its file, relative to the folder of contracts. */
  readonly name: string;
  readonly contract: Contract;
}

/** A request for values to one source of an item. */
interface SourceRequest {
  readonly item: CompletedItem;
  readonly source: SourceModel;
  /** The argument or variable that is completed; absent if instances are listed. */
  readonly completed?: string;
}

/** The contracts of the sources that send requests to upstreams. */
export function upstreamSources(model: ServerModel): SourceContract<BodyContract>[] {
  if ((model.upstreams ?? []).length === 0) return [];
  return sourceGroups("bodies", model, "http").map(({ name, item, requests }) => {
    const cases = requests.flatMap((request) => httpCases(request, model));
    const [caller] = requests.flatMap(
      ({ source }) => (source.kind === "http" ? testCaller(model, source) : undefined) ?? [],
    );
    const callers = caller === undefined ? {} : { caller };
    return { name, contract: { ...itemFields(item), ...callers, cases } };
  });
}

/** The contracts of the sources that query databases. */
export function databaseSources(model: ServerModel): SourceContract<DatabaseItemContract>[] {
  if ((model.databases ?? []).length === 0) return [];
  return sourceGroups("databases", model, "sql").map(({ name, item, requests }) => {
    const [caller] = requests.flatMap(
      ({ source }) => (source.kind === "sql" && source.caller && testCaller(model, source)) || [],
    );
    const cases = requests.flatMap(databaseCases);
    return { name, contract: { ...itemFields(item), ...(caller && { caller }), cases } };
  });
}

function itemFields(item: CompletedItem): Pick<BodyContract, "kind" | "name" | "enabled"> {
  const kind = item.kind === "prompt" ? "prompts" : "resources";
  return { kind, name: item.name, ...itemSettings(item) };
}

function sourceGroups(
  folder: string,
  model: ServerModel,
  kind: SourceModel["kind"],
): { name: string; item: CompletedItem; requests: SourceRequest[] }[] {
  const items: CompletedItem[] = [...model.prompts, ...model.resourceTemplates];
  const groups = items.flatMap((item) => {
    const path = `${folder}/${handlerModule(item)}`;
    return [
      { name: `${path}.complete`, item, requests: completionRequests(item) },
      { name: `${path}.list`, item, requests: listRequests(item, model) },
    ];
  });
  return groups
    .map((group) => ({
      ...group,
      requests: group.requests.filter(({ source }) => source.kind === kind),
    }))
    .filter(({ requests }) => requests.length > 0);
}

function completionRequests(item: CompletedItem): SourceRequest[] {
  return completionSources(item).map(([completed, source]) => ({ item, source, completed }));
}

/** One request lists the instances of all templates, so there is a case only if no other template lists any. */
function listRequests(
  item: CompletedItem,
  { resourceTemplates, pageSize }: ServerModel,
): SourceRequest[] {
  if (item.kind === "prompt" || !isSource(item.list)) return [];
  const isOnlyList = resourceTemplates.every(
    ({ list }) => list === undefined || list === item.list,
  );
  const showsAll = pageSize === undefined && item.scopes === undefined;
  return isOnlyList && showsAll ? [{ item, source: item.list }] : [];
}

/** The text that tests complete, and a text that would change the request if it were not encoded. */
const TYPED_TEXT = "T";
const HOSTILE_TEXT = "T&a=b;c/../d?e#f\"'%2e";

function completionRequest(item: CompletedItem, name: string, typed: string): JsonObject {
  const ref: JsonObject =
    item.kind === "prompt"
      ? { type: "ref/prompt", name: item.name }
      : { type: "ref/resource", uri: item.uriTemplate };
  return { ref, argument: { name, value: typed }, context: { arguments: otherValues(item, name) } };
}

/** Values of the other arguments, which the client sends along. */
function otherValues(item: CompletedItem, completed: string): JsonObject {
  const declared = item.kind === "prompt" ? item.arguments : item.variables;
  const others = declared.filter(({ name }) => name !== completed);
  return Object.fromEntries(others.map(({ name }) => [name, `some ${name}`]));
}

function httpCases(requests: SourceRequest, model: ServerModel): BodyCase[] {
  const { source, item, completed } = requests;
  if (source.kind !== "http") return [];
  const successes =
    completed === undefined
      ? listCases(item as ResourceTemplateModel, source, model)
      : [TYPED_TEXT, HOSTILE_TEXT].flatMap((typed) =>
          completionCases(item, completed, typed, source, model),
        );
  const [first] = successes;
  if (first === undefined) return [];
  const received = completed === undefined ? {} : receivedBy(item, completed, TYPED_TEXT);
  const { parameters, method } = first;
  const prefix = completed ?? "the instances";
  const failed = statusCases(parameters, received, source).map((failure) => ({
    ...failure,
    ...(method !== undefined && { method }),
    name: `${prefix}: ${failure.name}`,
  }));
  return [...successes, ...failed];
}

const receivedBy = (item: CompletedItem, name: string, typed: string): JsonObject => ({
  [name]: typed,
  ...otherValues(item, name),
});

/** The case of a completion; none if no request can carry the values. */
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
  const found = field === undefined ? values : values.map((value) => ({ [field]: value }));
  return [
    {
      name: typed === TYPED_TEXT ? `values for ${name}` : `${name} is only a value: ${typed}`,
      method: "completion/complete",
      parameters: completionRequest(item, name, typed),
      answers: answersOf(found, body),
      request: expectedRequest(body, received, model),
      result: { completion: { values, total: values.length, hasMore: false } },
    },
  ];
}

function answersOf(found: JsonValue, body: HttpBodyModel): BodyCase["answers"] {
  return [{ body: valueAtPointer(found, body.result.from ?? "") }, ...lastPage(body)];
}

/** The case of a list of instances, if there is a URI to list. The resources of the manifest come first in it. */
function listCases(
  template: ResourceTemplateModel,
  body: HttpBodyModel,
  model: ServerModel,
): BodyCase[] {
  const { parts, mimeType, wire } = template;
  const [own] = ownUris(template, model).filter(({ uri, variables }) => {
    const { fields = Object.keys(variables) } = body.result;
    const hasAllFields = Object.keys(variables).every((name) => fields.includes(name));
    return hasAllFields && uri === expandUri(parts, variables as never);
  });
  if (own === undefined || !mayBeSent(body, {})) return [];
  const { uri, variables } = own;
  const names = Object.hasOwn(variables, "name") ? [variables["name"]] : Object.values(variables);
  const instance = {
    uri,
    ...(mimeType !== undefined && { mimeType }),
    name: names.flat().join("/"),
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

/** Completions with hostile texts, which the statement must bind, or one list of instances. */
function databaseCases({ item, source, completed }: SourceRequest): DatabaseCase[] {
  if (source.kind !== "sql") return [];
  const { database } = source;
  if (completed === undefined) {
    const parameters = {};
    return [{ name: "the instances", database, method: "resources/list", parameters }];
  }
  return ["", INJECTED_STATEMENT].map((typed) => ({
    name: typed === "" ? `values for ${completed}` : `${completed} is bound: ${typed}`,
    database,
    method: "completion/complete",
    parameters: completionRequest(item, completed, typed),
    isMadeUp: true,
  }));
}
