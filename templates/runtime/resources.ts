import { ResourceNotFoundError } from "@modelcontextprotocol/server";
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
} from "@modelcontextprotocol/server";
import type { Caller } from "./context.js";
import type { AnyHandler, ResourceEntry, ResourceTemplateEntry } from "./definition.js";
import { invalidParams, NotFoundError, publicError } from "./errors.js";
import { withFields } from "./log.js";
import { echo, textParameter, type RequestParameters } from "./request-parameters.js";
import { toReadResult } from "./resource-content.js";
import { fileContents, readProjectFile } from "./resource-file.js";
import { runHandler, type Runtime } from "./runtime.js";
import { uriMatcher, type UriMatcher } from "./uri-template.js";

interface Template {
  readonly entry: ResourceTemplateEntry;
  readonly match: UriMatcher;
}

/** Answers `resources/list`, `resources/templates/list` and `resources/read`. */
export class Resources {
  /** The answer to every `resources/list`. */
  readonly list: ListResourcesResult;
  /** The answer to every `resources/templates/list`. */
  readonly templateList: ListResourceTemplatesResult;
  readonly #byUri: ReadonlyMap<string, ResourceEntry>;
  readonly #templates: readonly Template[];
  readonly #runtime: Runtime;

  constructor(
    entries: readonly ResourceEntry[],
    templates: readonly ResourceTemplateEntry[],
    runtime: Runtime,
  ) {
    this.list = Object.freeze({ resources: entries.map((entry) => entry.definition) });
    this.templateList = Object.freeze({
      resourceTemplates: templates.map((entry) => entry.definition),
    });
    this.#byUri = new Map(entries.map((entry) => [entry.definition.uri, entry]));
    this.#templates = templates.map((entry) => ({ entry, match: uriMatcher(entry.parts) }));
    this.#runtime = runtime;
  }

  /**
   * Reads the resource at a URI: one that is listed, or else an instance of the first template that
   * it matches. The URI is taken as it is, never normalised.
   * @throws ProtocolError -32602 with `data.uri` when there is none, -32603 when reading fails
   */
  async read(parameters: RequestParameters, caller: Caller): Promise<ReadResourceResult> {
    const uri = textParameter(parameters, "uri");
    const { uriLength } = this.#runtime.limits;
    if (uri.length > uriLength) throw invalidParams(`URI longer than ${uriLength} characters`);
    const resource = this.#byUri.get(uri);
    try {
      if (resource !== undefined) return await this.#readListed(resource, uri, caller);
      return await this.#readInstance(uri, caller);
    } catch (error) {
      if (error instanceof NotFoundError) throw notFound(uri);
      const { requestId } = caller;
      throw publicError(error, withFields(this.#runtime.log, { requestId, uri }));
    }
  }

  async #readListed(
    { definition, behaviour }: ResourceEntry,
    uri: string,
    caller: Caller,
  ): Promise<ReadResourceResult> {
    const { mimeType } = definition;
    const { root, limits } = this.#runtime;
    const head = { uri, ...(mimeType === undefined ? {} : { mimeType }) };
    switch (behaviour.kind) {
      case "text":
        return { contents: [{ ...head, text: behaviour.text }] };
      case "blob":
        return { contents: [{ ...head, blob: behaviour.blob }] };
      case "file": {
        const bytes = await readProjectFile(root, behaviour.path, limits.fileBytes);
        return { contents: [{ ...head, ...fileContents(bytes, mimeType) }] };
      }
      case "handler":
        return this.#runHandler(behaviour.handler, uri, definition, uri, caller);
    }
  }

  async #readInstance(uri: string, caller: Caller): Promise<ReadResourceResult> {
    for (const { entry, match } of this.#templates) {
      const variables = match(uri);
      if (variables === undefined) continue;
      return this.#runHandler(entry.behaviour.handler, variables, entry.definition, uri, caller);
    }
    throw notFound(uri);
  }

  async #runHandler(
    handler: AnyHandler<unknown>,
    input: unknown,
    { name, mimeType }: { readonly name: string; readonly mimeType?: string | undefined },
    uri: string,
    caller: Caller,
  ): Promise<ReadResourceResult> {
    const returned = await runHandler(this.#runtime, caller, handler, input);
    return toReadResult(name, returned, { uri, mimeType }, this.#runtime.limits.resultLength);
  }
}

function notFound(uri: string): ResourceNotFoundError {
  return new ResourceNotFoundError(uri, `Resource ${echo(uri)} not found`);
}
