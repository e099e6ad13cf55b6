import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import {
  entriesOf,
  followToObject,
  NotImportable,
  textIn,
  type ApiDocument,
  type DocumentPath,
  type Located,
} from "./api-document.js";

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"] as const;

/** One operation of a document. */
export interface Operation {
  /** The HTTP method in capitals: `GET`. */
  readonly method: string;
  /** The URL path as it is in the document: `/orders/{id}`. */
  readonly route: string;
  readonly value: JsonObject;
  /** The place of the operation in the document. */
  readonly path: DocumentPath;
  /** The object that contains the operation. It has settings for all methods of the URL path. */
  readonly pathItem: Located<JsonObject>;
}

/** The name of an operation: `GET /orders/{id}`. */
export function nameOfOperation({ method, route }: Operation): string {
  return `${method} ${route}`;
}

/** A path or an operation that is no object, or a reference that cannot be followed. */
export interface UnreadableOperation {
  readonly name: string;
  readonly problem: NotImportable;
}

/** All operations of a document, in the document's order. */
export function operationsOf(document: ApiDocument): {
  operations: Operation[];
  unreadable: UnreadableOperation[];
} {
  const operations: Operation[] = [];
  const unreadable: UnreadableOperation[] = [];
  for (const [route, item] of entriesOf(ownValue(document.value, "paths"))) {
    if (route.startsWith("x-")) continue;
    try {
      const pathItem = followToObject(document, { value: item, path: ["paths", route] });
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
  unreadable: UnreadableOperation[],
): void {
  const value = ownValue(pathItem.value, method);
  if (value === undefined) return;
  const path = [...pathItem.path, method];
  const operation = { method: method.toUpperCase(), route, path, pathItem };
  if (isJsonObject(value)) operations.push({ ...operation, value });
  else {
    const problem = new NotImportable("is no object", path);
    unreadable.push({ name: `${operation.method} ${route}`, problem });
  }
}

export function tagsOf({ value }: Operation): string[] {
  const tags = ownValue(value, "tags");
  return Array.isArray(tags) ? tags.map(String) : [];
}

/** Settings in a document for generators of MCP servers. */
export interface ModelSettings {
  readonly isHidden: boolean;
  readonly settings: JsonObject;
}

/** Reads `x-mcp` and `x-speakeasy-mcp` of an operation, or else of its path. `x-mcp` comes first. */
export function modelSettings({ value, pathItem }: Operation): ModelSettings {
  const extensions = ["x-mcp", "x-speakeasy-mcp"].flatMap((key): JsonValue[] => {
    const extension = ownValue(value, key) ?? ownValue(pathItem.value, key);
    return extension === undefined ? [] : [extension];
  });
  const settings: JsonObject = Object.assign({}, ...extensions.filter(isJsonObject).reverse());
  const isHidden =
    extensions[0] === false ||
    ownValue(settings, "disabled") === true ||
    ownValue(settings, "ignore") === true ||
    ownValue(settings, "enabled") === false;
  return { isHidden, settings };
}

/** The name that the document gives an operation: the name for models, or else the `operationId`. */
export function preferredName(operation: Operation): string | undefined {
  return (
    textIn(modelSettings(operation).settings, "name") ?? textIn(operation.value, "operationId")
  );
}
