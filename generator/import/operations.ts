import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import {
  entriesOf,
  followedObject,
  NotImportable,
  textIn,
  type ApiDocument,
  type DocumentPath,
  type Located,
} from "./api-document.js";

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;

/** One operation of a document. */
export interface Operation {
  /** `GET`, in capitals. */
  readonly method: string;
  /** The path as the document has it: `/orders/{id}`. */
  readonly route: string;
  readonly value: JsonObject;
  /** Where it stands in the document. */
  readonly path: DocumentPath;
  /** What stands beside it and holds for all methods of the path. */
  readonly pathItem: Located<JsonObject>;
}

/** An operation in words: `GET /orders/{id}`. */
export function nameOfOperation({ method, route }: Operation): string {
  return `${method} ${route}`;
}

/** A path or an operation that is no object. */
export interface Unreadable {
  readonly name: string;
  readonly problem: NotImportable;
}

/** All operations of a document, in its order. */
export function operationsOf(document: ApiDocument): {
  operations: Operation[];
  unreadable: Unreadable[];
} {
  const operations: Operation[] = [];
  const unreadable: Unreadable[] = [];
  for (const [route, item] of entriesOf(ownValue(document.value, "paths"))) {
    if (route.startsWith("x-")) continue;
    try {
      const pathItem = followedObject(document, { value: item, path: ["paths", route] });
      for (const method of METHODS) addOperation(pathItem, route, method, operations, unreadable);
    } catch (error) {
      if (!(error instanceof NotImportable)) throw error;
      unreadable.push({ name: route, problem: error });
    }
  }
  return { operations, unreadable };
}

function addOperation(
  pathItem: Located<JsonObject>,
  route: string,
  method: string,
  operations: Operation[],
  unreadable: Unreadable[],
): void {
  const value = ownValue(pathItem.value, method);
  if (value === undefined) return;
  const path = [...pathItem.path, method];
  const found = { method: method.toUpperCase(), route, path, pathItem };
  if (isJsonObject(value)) operations.push({ ...found, value });
  else {
    const problem = new NotImportable("is no object", path);
    unreadable.push({ name: `${found.method} ${route}`, problem });
  }
}

/** The tags of an operation. */
export function tagsOf({ value }: Operation): string[] {
  const tags = ownValue(value, "tags");
  return Array.isArray(tags) ? tags.map(String) : [];
}

/** What the document says to generators of MCP servers. */
export interface ForModels {
  readonly isHidden: boolean;
  readonly settings: JsonObject;
}

/** Reads `x-mcp` and `x-speakeasy-mcp`. */
export function forModels({ value, pathItem }: Operation): ForModels {
  const said = ["x-mcp", "x-speakeasy-mcp"].flatMap((key): JsonValue[] => {
    const found = ownValue(value, key) ?? ownValue(pathItem.value, key);
    return found === undefined ? [] : [found];
  });
  const settings: JsonObject = Object.assign({}, ...said.filter(isJsonObject).reverse());
  const isHidden =
    said[0] === false ||
    ownValue(settings, "disabled") === true ||
    ownValue(settings, "ignore") === true ||
    ownValue(settings, "enabled") === false;
  return { isHidden, settings };
}

/** The `operationId`, or what the document wants models to call it. */
export function wantedName(operation: Operation): string | undefined {
  return textIn(forModels(operation).settings, "name") ?? textIn(operation.value, "operationId");
}
