import { loadManifest } from "../1-load/load.js";
import { validateManifest } from "../2-validate/validate.js";
import { manifestTooLarge, operationLeftOut, partLeftOut } from "../model/catalogue/imports.js";
import type { Diagnostic } from "../model/diagnostic.js";
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
import { manifestText } from "./manifest-text.js";
import { forModels, nameOfOperation, type Operation } from "./operations.js";
import { packageName, semanticVersion } from "./package-name.js";
import { fallbackDescription, requestOf } from "./request.js";
import { SharedSchemas, withNames } from "./shared-schemas.js";
import { describe, plainText, shortened } from "./texts.js";
import { toolsAt } from "./tools-of-error.js";
import { Upstreams, type TakenNames } from "./upstreams.js";

export interface DocumentImportOptions {
  /** Whether tools say what they answer. */
  readonly withOutput: boolean;
  /** The document's path as the manifest has it. */
  readonly recordedPath: string;
  /** What the manifest calls the import; made of the document's title where it is not said. */
  readonly api?: string;
  /** Names that something else in the manifest has already. */
  readonly taken?: TakenNames;
}

export interface ImportedTool {
  readonly operation: Operation;
  readonly tool: JsonObject;
}

/** What a manifest gets of a document. */
export interface ImportedParts {
  readonly tools: readonly ImportedTool[];
  readonly env: JsonObject;
  readonly upstreams: JsonObject;
  readonly schemas: JsonObject;
}

/** What came of operations. */
export interface ImportOfOperations {
  readonly parts: ImportedParts;
  /** The text of a manifest that has nothing else. */
  readonly text: string;
  /** Why operations are left out; the same is among the diagnostics. */
  readonly lost: ReadonlyMap<Operation, LostOperation>;
  readonly diagnostics: readonly Diagnostic[];
}

export interface LostOperation {
  readonly reason: string;
  readonly diagnostic: Diagnostic;
}

export function leftOut(
  document: ApiDocument,
  operation: string,
  problem: NotImportable,
): Diagnostic {
  const { message: reason, path } = problem;
  return operationLeftOut(document.locate(path), { operation, reason, pointer: pointerTo(path) });
}

/** Makes items of a manifest of operations of a document. */
export class DocumentImport {
  readonly #document: ApiDocument;
  readonly #options: DocumentImportOptions;
  readonly #shared: SharedSchemas;
  readonly #upstreams: Upstreams;
  /** What the manifest calls the import. */
  readonly api: string;
  readonly #diagnostics: Diagnostic[] = [];
  /** Pointers of what was said to be left out of schemas. */
  readonly #reported = new Set<string>();
  readonly #lost = new Map<Operation, LostOperation>();

  constructor(document: ApiDocument, options: DocumentImportOptions) {
    const { api, taken } = options;
    this.#document = document;
    this.#options = options;
    this.#shared = new SharedSchemas(document, taken?.schemas);
    this.api = api ?? packageName(this.#info("title"), "api");
    this.#upstreams = new Upstreams(document, this.api, taken);
  }

  /**
   * The parts of a manifest, and the text of one that has nothing else. What cannot be imported is left out, with
   * diagnostics.
   *
   * @param passedOver operations of which nothing comes, but which take names as if they came
   */
  make(
    wanted: readonly Operation[],
    names: ReadonlyMap<Operation, string>,
    passedOver: ReadonlySet<Operation> = new Set(),
  ): ImportOfOperations {
    let tools = wanted.flatMap((operation) => {
      const said = this.#diagnostics.length;
      const made = this.#tool(operation, names.get(operation) ?? "");
      if (!passedOver.has(operation)) {
        this.#reportSchemas(operation);
        return made;
      }
      this.#diagnostics.splice(said);
      return [];
    });
    let parts = this.#parts(tools);
    let text = this.#text(parts);
    for (
      let refused = this.#refused(text, parts.tools);
      refused.size > 0;
      refused = this.#refused(text, parts.tools)
    ) {
      tools = tools.filter(({ operation }) => !refused.has(operation));
      parts = this.#parts(tools);
      text = this.#text(parts);
    }
    return { parts, text, lost: this.#lost, diagnostics: this.#diagnostics };
  }

  /** Says what is left out of the schemas that an operation is the first to need. */
  #reportSchemas(operation: Operation): void {
    for (const [pointer, { reason, path }] of this.#shared.leftOut) {
      if (this.#reported.has(pointer)) continue;
      this.#reported.add(pointer);
      this.#leave(operation, reason, path);
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
      this.#lose(operation, error);
      return [];
    }
  }

  #lose(operation: Operation, problem: NotImportable): void {
    const diagnostic = leftOut(this.#document, nameOfOperation(operation), problem);
    this.#lost.set(operation, { reason: `it ${problem.message}`, diagnostic });
    this.#diagnostics.push(diagnostic);
  }

  /** Loses tools that no manifest can hold together. */
  #loseAll(tools: readonly ImportedTool[], problem: string): Set<Operation> {
    const diagnostic = manifestTooLarge(this.#document.locate(["paths"]), { problem });
    this.#diagnostics.push(diagnostic);
    const operations = tools.map(({ operation }) => operation);
    for (const operation of operations)
      this.#lost.set(operation, { reason: diagnostic.message, diagnostic });
    return new Set(operations);
  }

  #toolOf(operation: Operation, name: string): JsonObject {
    const { value } = operation;
    const { settings } = forModels(operation);
    const { withOutput } = this.#options;
    const described = withOutput ? this.#shared : undefined;
    const { schema: output, accept, problem } = answerOf(this.#document, operation, described);
    const upstream = this.#upstreams.usedBy(operation);
    const context = { ...(accept !== undefined && { accept }), filled: upstream.filled };
    const request = requestOf(this.#document, operation, this.#shared, context);
    if (upstream.leftOut !== undefined) {
      const { message, path } = upstream.leftOut;
      this.#leave(operation, `it may be called without credentials, and is: it ${message}`, path);
    }
    if (problem !== undefined) {
      this.#leave(operation, `its answer is not described: it ${problem.message}`, problem.path);
    }
    const summary = textIn(value, "summary");
    const title = plainText(textIn(settings, "title") ?? summary ?? "");
    const said = textIn(settings, "description") ?? textIn(value, "description");
    const description = describe(summary, said) || fallbackDescription(operation);
    for (const { reason, path } of request.leftOut) this.#leave(operation, reason, path);
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

  #leave(operation: Operation, reason: string, path: DocumentPath): void {
    const parameters = { operation: nameOfOperation(operation), reason, pointer: pointerTo(path) };
    this.#diagnostics.push(partLeftOut(this.#document.locate(path), parameters));
  }

  #parts(tools: readonly ImportedTool[]): ImportedParts {
    const used = tools.flatMap(
      ({ tool }) => [tool["inputSchema"], tool["outputSchema"]] as JsonSchema[],
    );
    const { schemas, renamed } = this.#shared.collected(
      used.filter((schema) => schema !== undefined),
    );
    const names = new Set(
      tools.map(({ tool }) => String((tool["http"] as JsonObject)["upstream"])),
    );
    const upstreams = [...this.#upstreams.upstreams].filter(([name]) => names.has(name));
    const mentioned = JSON.stringify(upstreams);
    const variables = [...this.#upstreams.variables].filter(([name]) =>
      mentioned.includes(`"${name}"`),
    );
    return {
      tools: tools.map(({ operation, tool }) => ({ operation, tool: withNames(tool, renamed) })),
      env: Object.fromEntries(variables),
      upstreams: Object.fromEntries(upstreams),
      schemas: Object.fromEntries(schemas),
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

  /** Tools that the manifest's own rules refuse, each reported with what they say of it. */
  #refused(text: string, tools: readonly ImportedTool[]): Set<Operation> {
    const { manifest, diagnostics } = loadManifest("mcp.yaml", Buffer.from(text));
    const problems = [
      ...diagnostics,
      ...(manifest === undefined ? [] : validateManifest(manifest)),
    ];
    const errors = problems.filter(({ severity }) => severity === "error");
    const refused = new Set<Operation>();
    for (const error of errors) {
      if (manifest === undefined) return this.#loseAll(tools, error.message);
      for (const index of toolsAt(manifest, error)) {
        const { operation } = tools[index] ?? {};
        if (operation === undefined || refused.has(operation)) continue;
        refused.add(operation);
        const reason = `cannot be said in the manifest: ${error.message}`;
        this.#lose(operation, new NotImportable(reason, operation.path));
      }
    }
    return refused;
  }
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
