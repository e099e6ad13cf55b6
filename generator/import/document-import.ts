import { isDeepStrictEqual } from "node:util";
import { loadManifest } from "../1-load/load.js";
import { validateManifest } from "../2-validate/validate.js";
import {
  importedManifestTooLarge,
  operationLeftOut,
  partLeftOut,
} from "../model/catalogue/imports.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { ManifestPath } from "../model/loaded-manifest.js";
import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import { answerOf } from "./answer.js";
import {
  NotImportable,
  pointerTo,
  textIn,
  type ApiDocument,
  type DocumentPath,
} from "./api-document.js";
import { manifestText } from "../edit/manifest-text.js";
import { modelSettings, nameOfOperation, type Operation } from "./operations.js";
import { packageName, semanticVersion } from "./package-name.js";
import { withAt } from "./place-in-schema.js";
import { refusedParts, type RefusedPart } from "./refused-parts.js";
import { fallbackDescription, requestOf } from "./request.js";
import { SharedSchemas, withNames } from "./shared-schemas.js";
import { describe, plainText, shortened } from "./texts.js";
import { Upstreams, type TakenNames } from "./upstreams.js";

export interface DocumentImportOptions {
  /** True if tools get an output schema. */
  readonly withOutput: boolean;
  /** The document's path in the manifest. */
  readonly recordedPath: string;
  /** The name of the import in the manifest. If absent, it is made from the document's title. */
  readonly api?: string;
  /** Names in the manifest that do not belong to this import. */
  readonly takenNames?: TakenNames;
}

/** A tool of the manifest, and the operation that it calls. */
export interface ImportedTool {
  readonly operation: Operation;
  readonly tool: JsonObject;
}

/** The parts of a manifest that come from a document. */
export interface ImportedParts {
  readonly tools: readonly ImportedTool[];
  readonly env: JsonObject;
  readonly upstreams: JsonObject;
  readonly schemas: JsonObject;
}

/** The result of importing operations. */
export interface ImportOfOperations {
  readonly parts: ImportedParts;
  /** The text of a manifest that consists of these parts. */
  readonly text: string;
  /** The operations that could not be imported. */
  readonly omitted: ReadonlyMap<Operation, OmittedOperation>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Why an operation could not be imported. `diagnostic` is also among the diagnostics of the import. */
export interface OmittedOperation {
  readonly reason: string;
  readonly diagnostic: Diagnostic;
}

/** The diagnostic about an operation that is not imported. */
export function leftOut(
  document: ApiDocument,
  operation: string,
  problem: NotImportable,
): Diagnostic {
  const { message: reason, path } = problem;
  return operationLeftOut(document.locate(path), { operation, reason, pointer: pointerTo(path) });
}

/** Makes the parts of a manifest from the operations of a document. */
export class DocumentImport {
  readonly #document: ApiDocument;
  readonly #options: DocumentImportOptions;
  readonly #shared: SharedSchemas;
  readonly #upstreams: Upstreams;
  /** The name of the import in the manifest. */
  readonly api: string;
  readonly #diagnostics: Diagnostic[] = [];
  /** Pointers to the parts of schemas that were reported as left out. */
  readonly #reported = new Set<string>();
  readonly #omitted = new Map<Operation, OmittedOperation>();
  /** The paths, in the manifest's schemas, of keywords that no manifest can have there. */
  readonly #removedKeys: ManifestPath[] = [];

  constructor(document: ApiDocument, options: DocumentImportOptions) {
    const { api, takenNames } = options;
    this.#document = document;
    this.#options = options;
    this.#shared = new SharedSchemas(document, takenNames?.schemas);
    this.api = api ?? packageName(this.#info("title"), "api");
    this.#upstreams = new Upstreams(document, this.api, takenNames);
  }

  /**
   * Makes the parts of a manifest, and the text of a manifest that consists of them. Operations that cannot be
   * imported are left out and reported.
   *
   * @param names the names of the tools
   * @param withoutTool operations that get no tool, but reserve names of schemas and variables as if they had one
   */
  make(
    operations: readonly Operation[],
    names: ReadonlyMap<Operation, string>,
    withoutTool: ReadonlySet<Operation> = new Set(),
  ): ImportOfOperations {
    let tools = operations.flatMap((operation) => {
      const reportedBefore = this.#diagnostics.length;
      const imported = this.#tool(operation, names.get(operation) ?? "");
      if (!withoutTool.has(operation)) {
        this.#reportSchemas(operation);
        return imported;
      }
      this.#diagnostics.splice(reportedBefore);
      return [];
    });
    for (;;) {
      const parts = this.#parts(tools);
      const text = this.#text(parts);
      const accepted = this.#withoutRefused(text, tools);
      if (accepted === undefined) {
        return { parts, text, omitted: this.#omitted, diagnostics: this.#diagnostics };
      }
      tools = accepted;
    }
  }

  /** Reports the parts that are left out of shared schemas. The first operation that needs a schema reports its parts. */
  #reportSchemas(operation: Operation): void {
    for (const [pointer, { reason, path }] of this.#shared.leftOut) {
      if (this.#reported.has(pointer)) continue;
      this.#reported.add(pointer);
      this.#omitPart(operation, reason, path);
    }
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
      this.#omit(operation, error);
      return [];
    }
  }

  #omit(operation: Operation, problem: NotImportable): void {
    const diagnostic = leftOut(this.#document, nameOfOperation(operation), problem);
    this.#omitted.set(operation, { reason: `it ${problem.message}`, diagnostic });
    this.#diagnostics.push(diagnostic);
  }

  /** Leaves out all tools, since together they are too large for a manifest. */
  #omitAll(tools: readonly ImportedTool[], problem: string): void {
    const diagnostic = importedManifestTooLarge(this.#document.locate(["paths"]), { problem });
    this.#diagnostics.push(diagnostic);
    const operations = tools.map(({ operation }) => operation);
    for (const operation of operations)
      this.#omitted.set(operation, { reason: diagnostic.message, diagnostic });
  }

  #toolOf(operation: Operation, name: string): JsonObject {
    const { value } = operation;
    const { settings } = modelSettings(operation);
    const { withOutput } = this.#options;
    const outputSchemas = withOutput ? this.#shared : undefined;
    const { schema: output, accept, problem } = answerOf(this.#document, operation, outputSchemas);
    const upstream = this.#upstreams.usedBy(operation);
    const context = { ...(accept !== undefined && { accept }), filledNames: upstream.filledNames };
    const request = requestOf(this.#document, operation, this.#shared, context);
    if (upstream.leftOut !== undefined) {
      const { message, path } = upstream.leftOut;
      this.#omitPart(
        operation,
        `it may be called without credentials, and is: it ${message}`,
        path,
      );
    }
    if (problem !== undefined) {
      this.#omitPart(operation, `its answer is not described: it ${problem.message}`, problem.path);
    }
    const summary = textIn(value, "summary");
    const title = plainText(textIn(settings, "title") ?? summary ?? "");
    const text = textIn(settings, "description") ?? textIn(value, "description");
    const description = describe(summary, text) || fallbackDescription(operation);
    for (const { reason, path } of request.leftOut) this.#omitPart(operation, reason, path);
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
      http: { upstream: upstream.name, ...request.http },
      "x-import": { from: this.api, at: nameOfOperation(operation) },
    };
  }

  /** Reports a part of an operation that is not imported. */
  #omitPart(operation: Operation, reason: string, path: DocumentPath): void {
    const parameters = { operation: nameOfOperation(operation), reason, pointer: pointerTo(path) };
    this.#diagnostics.push(partLeftOut(this.#document.locate(path), parameters));
  }

  #parts(tools: readonly ImportedTool[]): ImportedParts {
    const usedSchemas = tools.flatMap(
      ({ tool }) => [tool["inputSchema"], tool["outputSchema"]] as JsonSchema[],
    );
    const { schemas, newNames } = this.#shared.schemasFor(
      usedSchemas.filter((schema) => schema !== undefined),
    );
    const names = new Set(
      tools.map(({ tool }) => String((tool["http"] as JsonObject)["upstream"])),
    );
    const upstreams = [...this.#upstreams.upstreams].filter(([name]) => names.has(name));
    const upstreamsText = JSON.stringify(upstreams);
    const variables = [...this.#upstreams.variables].filter(([name]) =>
      upstreamsText.includes(`"${name}"`),
    );
    return {
      tools: tools.map(({ operation, tool }) => ({ operation, tool: withNames(tool, newNames) })),
      env: Object.fromEntries(variables),
      upstreams: Object.fromEntries(upstreams),
      schemas: this.#removedKeys.reduce<JsonObject>(
        (all, path) => withAt(all, path),
        Object.fromEntries(schemas),
      ),
    };
  }

  #text({ tools, env, upstreams, schemas }: ImportedParts): string {
    const title = plainText(this.#info("title") ?? "");
    const description = shortened(plainText(this.#info("description") ?? ""));
    const { recordedPath, withOutput } = this.#options;
    const entry: JsonObject = { openapi: recordedPath, ...(!withOutput && { output: false }) };
    const sections: [string, JsonValue | undefined][] = [
      ["name", this.api],
      ["version", semanticVersion(this.#info("version"))],
      ["title", title || undefined],
      ["description", description || undefined],
      ["transports", [{ type: "stdio" }]],
      ["x-imports", { [this.api]: entry }],
      ["env", env],
      ["upstreams", upstreams],
      ["schemas", Object.keys(schemas).length === 0 ? undefined : schemas],
      ["tools", tools.map(({ tool }) => tool)],
    ];
    return manifestText(
      sections.filter((section): section is [string, JsonValue] => section[1] !== undefined),
    );
  }

  /**
   * The tools without the parts that break the rules of manifests, each of which is reported with the message of the
   * broken rule. Undefined if no rule is broken.
   */
  #withoutRefused(text: string, tools: readonly ImportedTool[]): ImportedTool[] | undefined {
    const { manifest, diagnostics } = loadManifest("mcp.yaml", Buffer.from(text));
    const problems = [
      ...diagnostics,
      ...(manifest === undefined ? [] : validateManifest(manifest)),
    ];
    const errors = problems.filter(({ severity }) => severity === "error");
    if (errors.length === 0) return undefined;
    const accepted: (ImportedTool | undefined)[] = [...tools];
    if (manifest === undefined) {
      this.#omitAll(tools, errors[0]?.message ?? "");
      return [];
    }
    const done = new Set<string>();
    for (const error of errors) {
      for (const part of refusedParts(manifest, error)) {
        const key = JSON.stringify(part);
        if (!done.has(key)) this.#removePart(accepted, part, error.message);
        done.add(key);
      }
    }
    return accepted.filter((tool) => tool !== undefined);
  }

  /** Leaves a part of a tool, or all of it, out of a list. @param message the message of the rule that it breaks */
  #removePart(tools: (ImportedTool | undefined)[], part: RefusedPart, message: string): void {
    if (part.kind === "key") {
      if (this.#removeKey(tools, part.path, part.tools[0] ?? -1, message)) return;
      for (const tool of part.tools) this.#removePart(tools, { kind: "tool", tool }, message);
      return;
    }
    const imported = tools[part.tool];
    if (imported === undefined) return;
    const { operation, tool } = imported;
    const reason = `cannot be said in the manifest: ${message}`;
    if (part.kind === "tool") {
      tools[part.tool] = undefined;
      this.#omit(operation, new NotImportable(reason, operation.path));
    } else {
      const { outputSchema: _, ...others } = tool;
      tools[part.tool] = { operation, tool: others };
      this.#omitPart(operation, `its answer is not described: it ${reason}`, operation.path);
    }
  }

  /** Leaves a key out of a tool, or of a shared schema. @returns false if it has been left out already */
  #removeKey(
    tools: (ImportedTool | undefined)[],
    [section, ...path]: ManifestPath,
    index: number,
    message: string,
  ): boolean {
    const imported = tools[index];
    if (imported === undefined) return true;
    const { operation, tool } = imported;
    const [, ...inner] = path;
    if (section === "schemas") {
      if (this.#removedKeys.some((removed) => isDeepStrictEqual(removed, path))) return false;
      this.#removedKeys.push(path);
    } else {
      const changed = withAt(tool, inner);
      if (isDeepStrictEqual(changed, tool)) return false;
      tools[index] = { operation, tool: changed };
    }
    this.#omitPart(operation, `${inner.join(".")} is left out: ${message}`, operation.path);
    return true;
  }
}

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];

/** The annotations that follow from the HTTP method. Settings of the document for models override them. */
function annotationsOf(method: string, settings: JsonObject): JsonObject {
  const annotations: JsonObject = {
    ...(["GET", "HEAD"].includes(method) && { readOnlyHint: true }),
    ...(method === "DELETE" && { destructiveHint: true }),
    ...(["PUT", "DELETE"].includes(method) && { idempotentHint: true }),
  };
  const nestedAnnotations = ownValue(settings, "annotations");
  for (const source of [
    settings,
    ...(isJsonObject(nestedAnnotations) ? [nestedAnnotations] : []),
  ]) {
    for (const hint of HINTS) {
      const value = ownValue(source, hint);
      if (typeof value === "boolean") annotations[hint] = value;
    }
  }
  return annotations;
}
