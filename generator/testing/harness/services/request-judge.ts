import { OpenAPIBackend, type Document } from "openapi-backend";
import { dereference } from "openapi-backend/refparser.js";

interface Parameter {
  explode?: boolean;
  readonly schema?: { readonly type?: unknown };
}

interface Operation {
  operationId?: string;
  readonly parameters?: readonly Parameter[];
}

type PathItem = Record<string, unknown> & { readonly parameters?: readonly Parameter[] };

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/**
 * Judges requests by a document as `openapi-backend` does, without what that library reads otherwise than OpenAPI: it
 * takes `~1` in a reference for a name, knows operations by their `operationId` only, and splits whatever has
 * `explode: false` at its commas.
 *
 * @param document OpenAPI 3, which need not be valid in all its parts
 * @param apiRoot the path before those of the document
 */
export async function requestJudge(document: object, apiRoot: string): Promise<OpenAPIBackend> {
  const definition = await dereference(structuredClone(document) as Document);
  const { paths = {} } = definition as { paths?: Record<string, PathItem> };
  const used = new Set<string>();
  for (const [path, item] of Object.entries(paths)) {
    joinValues(item.parameters);
    for (const method of METHODS) {
      const operation = item[method] as Operation | null | undefined;
      // A key without a value is no operation, and the library reads it as one.
      if (operation === null) delete item[method];
      if (operation === undefined || operation === null) continue;
      joinValues(operation.parameters);
      const { operationId: id } = operation;
      operation.operationId =
        id === undefined || used.has(id) ? `${method.toUpperCase()} ${path}` : id;
      used.add(operation.operationId);
    }
  }
  return new OpenAPIBackend({
    definition: definition as Document,
    apiRoot,
    strict: false,
    quick: true,
    // A path that ends with a slash is another than the same without.
    ignoreTrailingSlashes: false,
    // Many documents escape characters in patterns that need none.
    ajvOpts: { logger: false, unicodeRegExp: false },
  }).init();
}

/** `explode` has no effect on values that are neither lists nor objects. */
function joinValues(parameters: readonly Parameter[] = []): void {
  for (const parameter of parameters) {
    const { type } = parameter.schema ?? {};
    if (["string", "number", "integer", "boolean"].some((plain) => plain === type))
      delete parameter.explode;
  }
}
