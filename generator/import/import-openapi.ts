import { loadManifest } from "../1-load/load.js";
import { validateManifest } from "../2-validate/validate.js";
import type { Place } from "../model/catalogue-entry.js";
import {
  choiceNeeded,
  nothingChosen,
  operationLeftOut,
  partLeftOut,
} from "../model/catalogue/imports.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import { answerSchema } from "./answer.js";
import { NotImportable, pointerTo, textIn, type ApiDocument } from "./api-document.js";
import { manifestText } from "./manifest-text.js";
import { forModels, nameOfOperation, operationsOf, type Operation } from "./operations.js";
import { packageName, semanticVersion } from "./package-name.js";
import { fallbackDescription, requestOf } from "./request.js";
import { isOpen, MOST_UNASKED, selected, type Selection } from "./selection.js";
import { SharedSchemas, withNames } from "./shared-schemas.js";
import { describe, plainText, shortened } from "./texts.js";
import { toolNames } from "./tool-names.js";
import { Upstreams } from "./upstreams.js";

export interface ImportOptions {
  readonly selection: Selection;
  /** Whether tools say what they answer. */
  readonly withOutput: boolean;
  /** The document's path as the manifest has it. */
  readonly recordedPath: string;
  /** Diagnostics that no place of the document explains. */
  readonly place: Place;
}

/** What an import does, without having done it. */
export interface Imported {
  /** The manifest's text; absent where there is nothing to write. */
  readonly manifest?: string;
  /** Operations of the document, and those of them that are wanted. */
  readonly operations: readonly Operation[];
  readonly wanted: readonly Operation[];
  /** Names of the tools that are in the manifest. */
  readonly tools: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

interface ImportedTool {
  readonly operation: Operation;
  readonly tool: JsonObject;
}

/** An OpenAPI document → a new manifest. Pure. */
export function importOpenApi(document: ApiDocument, options: ImportOptions): Imported {
  const { operations, unreadable } = operationsOf(document);
  const wanted = selected(operations, options.selection);
  const lost = unreadable.map(({ name, problem }) => leftOut(document, name, problem));
  const base = { operations, wanted, tools: [] };
  if (isOpen(options.selection) && wanted.length > MOST_UNASKED) {
    const parameters = { count: wanted.length, most: MOST_UNASKED };
    return { ...base, diagnostics: [...lost, choiceNeeded(options.place, parameters)] };
  }
  const made = new ManifestOfDocument(document, options).make(wanted);
  const diagnostics = [...lost, ...made.diagnostics];
  if (made.tools.length === 0) {
    return { ...base, diagnostics: [...diagnostics, nothingChosen(options.place, {})] };
  }
  const tools = made.tools.map(({ tool }) => String(tool["name"]));
  return { ...base, tools, manifest: made.text, diagnostics };
}

function leftOut(document: ApiDocument, operation: string, problem: NotImportable): Diagnostic {
  const { message: reason, path } = problem;
  return operationLeftOut(document.locate(path), { operation, reason, pointer: pointerTo(path) });
}

class ManifestOfDocument {
  readonly #document: ApiDocument;
  readonly #options: ImportOptions;
  readonly #shared: SharedSchemas;
  readonly #upstreams: Upstreams;
  readonly #api: string;
  readonly #diagnostics: Diagnostic[] = [];

  constructor(document: ApiDocument, options: ImportOptions) {
    this.#document = document;
    this.#options = options;
    this.#shared = new SharedSchemas(document);
    this.#api = packageName(this.#info("title"), "api");
    this.#upstreams = new Upstreams(document, this.#api);
  }

  make(wanted: readonly Operation[]): {
    tools: ImportedTool[];
    text: string;
    diagnostics: Diagnostic[];
  } {
    const names = toolNames(wanted);
    const found = wanted.flatMap((operation) => this.#tool(operation, names.get(operation) ?? ""));
    let tools = found;
    let text = this.#text(tools);
    for (
      let refused = this.#refused(text, tools);
      refused.size > 0;
      refused = this.#refused(text, tools)
    ) {
      tools = tools.filter((tool) => !refused.has(tool));
      text = this.#text(tools);
    }
    for (const [pointer, { reason, path }] of this.#shared.leftOut) {
      const parameters = { operation: "a schema", reason, pointer };
      this.#diagnostics.push(partLeftOut(this.#document.locate(path), parameters));
    }
    return { tools, text, diagnostics: this.#diagnostics };
  }

  #info(key: string): string | undefined {
    const info = ownValue(this.#document.value, "info");
    return isJsonObject(info) ? textIn(info, key) : undefined;
  }

  #tool(operation: Operation, name: string): ImportedTool[] {
    try {
      return [{ operation, tool: this.#toolOf(operation, name) }];
    } catch (error) {
      if (!(error instanceof NotImportable)) throw error;
      this.#diagnostics.push(leftOut(this.#document, nameOfOperation(operation), error));
      return [];
    }
  }

  #toolOf(operation: Operation, name: string): JsonObject {
    const { value } = operation;
    const { settings } = forModels(operation);
    const request = requestOf(this.#document, operation, this.#shared);
    const output = this.#output(operation);
    const upstream = this.#upstreams.nameFor(operation);
    const summary = textIn(value, "summary");
    const title = plainText(textIn(settings, "title") ?? summary ?? "");
    const said = textIn(settings, "description") ?? textIn(value, "description");
    const description = describe(summary, said) || fallbackDescription(operation);
    for (const { reason, path } of request.leftOut) {
      const parameters = {
        operation: nameOfOperation(operation),
        reason,
        pointer: pointerTo(path),
      };
      this.#diagnostics.push(partLeftOut(this.#document.locate(path), parameters));
    }
    const annotations = annotationsOf(operation.method, settings);
    const { scopes } = settings;
    return {
      name,
      ...(title !== "" && title.length <= 100 && { title }),
      description,
      ...(Object.keys(annotations).length > 0 && { annotations }),
      ...(Array.isArray(scopes) && scopes.length > 0 && { scopes }),
      inputSchema: request.inputSchema,
      ...(output !== undefined && { outputSchema: output }),
      http: { upstream, ...request.http },
      "x-import": { from: this.#api, at: nameOfOperation(operation) },
    };
  }

  #output(operation: Operation): JsonSchema | undefined {
    if (!this.#options.withOutput) return undefined;
    try {
      return answerSchema(this.#document, operation, this.#shared);
    } catch (error) {
      if (!(error instanceof NotImportable)) throw error;
      const { message, path } = error;
      const reason = `its answer is not described: it ${message}`;
      const parameters = {
        operation: nameOfOperation(operation),
        reason,
        pointer: pointerTo(path),
      };
      this.#diagnostics.push(partLeftOut(this.#document.locate(path), parameters));
      return undefined;
    }
  }

  #text(tools: readonly ImportedTool[]): string {
    const used = tools.flatMap(
      ({ tool }) => [tool["inputSchema"], tool["outputSchema"]] as JsonSchema[],
    );
    const { schemas, renamed } = this.#shared.collected(
      used.filter((schema) => schema !== undefined),
    );
    const items = tools.map(({ tool }) => withNames(tool, renamed));
    const names = new Set(
      tools.map(({ tool }) => String((tool["http"] as JsonObject)["upstream"])),
    );
    const upstreams = [...this.#upstreams.upstreams].filter(([name]) => names.has(name));
    const mentioned = JSON.stringify(upstreams);
    const variables = [...this.#upstreams.variables].filter(([name]) =>
      mentioned.includes(`{"env":"${name}"}`),
    );
    const title = plainText(this.#info("title") ?? "");
    const description = shortened(plainText(this.#info("description") ?? ""));
    const sections: [string, JsonValue | undefined][] = [
      ["name", this.#api],
      ["version", semanticVersion(this.#info("version"))],
      ["title", title || undefined],
      ["description", description || undefined],
      ["transports", [{ type: "stdio" }]],
      ["x-imports", { [this.#api]: { openapi: this.#options.recordedPath } }],
      ["env", Object.fromEntries(variables)],
      ["upstreams", Object.fromEntries(upstreams)],
      ["schemas", schemas.length === 0 ? undefined : Object.fromEntries(schemas)],
      ["tools", items],
    ];
    return manifestText(
      sections.filter((section): section is [string, JsonValue] => section[1] !== undefined),
    );
  }

  /** Tools that the manifest's own rules refuse, each reported with what they say of it. */
  #refused(text: string, tools: readonly ImportedTool[]): Set<ImportedTool> {
    const { manifest, diagnostics } = loadManifest("mcp.yaml", Buffer.from(text));
    const problems = [
      ...diagnostics,
      ...(manifest === undefined ? [] : validateManifest(manifest)),
    ];
    const errors = problems.filter(({ severity }) => severity === "error");
    const refused = new Set<ImportedTool>();
    for (const error of errors) {
      if (manifest === undefined)
        throw new Error(`the imported manifest cannot be read: ${error.message}`);
      for (const tool of toolsAt(manifest, error, tools)) {
        if (refused.has(tool)) continue;
        refused.add(tool);
        const reason = `cannot be said in the manifest: ${error.message}`;
        const problem = new NotImportable(reason, tool.operation.path);
        this.#diagnostics.push(leftOut(this.#document, nameOfOperation(tool.operation), problem));
      }
    }
    return refused;
  }
}

type Loaded = NonNullable<ReturnType<typeof loadManifest>["manifest"]>;

/** The tool in which an error stands, or those that refer to the shared schema in which it stands. */
function toolsAt(
  manifest: Loaded,
  error: Diagnostic,
  tools: readonly ImportedTool[],
): ImportedTool[] {
  const isIn = (path: (string | number)[]): boolean => {
    const start = manifest.locate(path, "key");
    const { endLine } = manifest.locate(path, "value");
    return start.line <= error.line && error.line <= endLine;
  };
  const inside = tools.filter((_, index) => isIn(["tools", index]));
  if (inside.length > 0) return inside;
  const schemas = ownValue(manifest.value, "schemas");
  const names = isJsonObject(schemas) ? Object.keys(schemas) : [];
  const wrong = names.find((name) => isIn(["schemas", name]));
  if (wrong === undefined || !isJsonObject(schemas)) {
    throw new Error(`the imported manifest is wrong: ${error.message}`);
  }
  const items = ownValue(manifest.value, "tools") as JsonObject[];
  return tools.filter((_, index) => reaches(items[index] ?? null, wrong, schemas, new Set()));
}

function reaches(
  value: JsonValue,
  wanted: string,
  schemas: JsonObject,
  seen: Set<string>,
): boolean {
  const names = [...JSON.stringify(value).matchAll(/"\$ref":"#\/schemas\/([^"]+)"/g)].map(
    ([, name = ""]) => name,
  );
  return names.some((name) => {
    if (name === wanted) return true;
    if (seen.has(name)) return false;
    seen.add(name);
    return reaches(ownValue(schemas, name) ?? null, wanted, schemas, seen);
  });
}

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];

/** What a method means; what the document says to models is stronger. */
function annotationsOf(method: string, settings: JsonObject): JsonObject {
  const annotations: JsonObject = {
    ...(["GET", "HEAD", "OPTIONS"].includes(method) && { readOnlyHint: true }),
    ...(method === "DELETE" && { destructiveHint: true }),
    ...(["PUT", "DELETE"].includes(method) && { idempotentHint: true }),
  };
  const inner = ownValue(settings, "annotations");
  for (const holder of [settings, ...(isJsonObject(inner) ? [inner] : [])]) {
    for (const hint of HINTS) {
      const value = ownValue(holder, hint);
      if (typeof value === "boolean") annotations[hint] = value;
    }
  }
  return annotations;
}
