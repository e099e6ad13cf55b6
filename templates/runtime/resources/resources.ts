import type {
  ReadResourceResult,
  Resource,
  Result,
  ResourceTemplateType,
} from "@modelcontextprotocol/server";
import { mayUse } from "../authentication/may-use.js";
import { after, recover, type Awaitable } from "../engine/awaitable.js";
import type { Item } from "../engine/item.js";
import type { Limits } from "../engine/limits.js";
import type { Caller } from "../context/context.js";
import type { ResourceEntry, ResourceTemplateEntry } from "./definition.js";
import type { ServerDefinition, CreateFeature } from "../engine/definition.js";
import {
  invalidParams,
  NotFoundError,
  NotImplementedError,
  type ProtocolError,
} from "../engine/errors.js";
import { publicError, mockOf } from "../engine/protocol-errors.js";
import { readCursor } from "../engine/cursor.js";
import { listMethod, type Page } from "../engine/item-list.js";
import {
  createPagedList,
  pageOf,
  type CreatePagedList,
  type PagedList,
} from "../engine/paged-item-list.js";
import { withFields, type Logger } from "../observe/log.js";
import {
  printableExcerpt,
  textMember,
  textParameter,
  type RequestParameters,
} from "../engine/request-parameters.js";
import { toReadResult } from "./content.js";
import { fileContents, readProjectFile } from "./file.js";
import { toListedResources } from "./instances.js";
import {
  exceedLimit,
  ProtocolResult,
  runHandler,
  runItem,
  type Runtime,
} from "../engine/runtime.js";
import { uriMatcher, type UriMatcher, type UriVariables } from "./uri-template.js";

interface Template {
  readonly entry: ResourceTemplateEntry;
  readonly match: UriMatcher;
}

/** A template with a list handler. */
interface Lister {
  readonly entry: ResourceTemplateEntry;
  readonly list: NonNullable<ResourceTemplateEntry["list"]>;
}

/** The resource at a URI: a listed one, or an instance of a template. */
type Found =
  | { readonly entry: ResourceEntry; readonly variables?: undefined }
  | { readonly entry: ResourceTemplateEntry; readonly variables: UriVariables };

/** A resource whose content is in the manifest or in a file. */
interface StatedContent extends Pick<ResourceEntry, "text" | "blob" | "file"> {
  readonly definition: Pick<Resource, "mimeType" | "_meta">;
}

/** Answers `resources/list`, `resources/templates/list` and `resources/read`. */
class Resources {
  readonly #list: PagedList<"resources", Resource>;
  readonly #templateList: PagedList<"resourceTemplates", ResourceTemplateType>;
  readonly #byUri: ReadonlyMap<string, ResourceEntry>;
  readonly #templates: readonly Template[];
  readonly #isHidden: ServerDefinition["isHidden"];
  /** The items that are served, where that are not all. */
  readonly #served: ReadonlySet<Item> | undefined;
  readonly #runtime: Runtime;
  readonly #cache: ServerDefinition["cache"];
  readonly #limits: Limits;

  constructor(definition: ServerDefinition, runtime: Runtime) {
    const { resources: entries, resourceTemplates: templates } = definition;
    this.#isHidden = definition.isHidden;
    // The type of the part has no lists with pages, since smaller projects do not have them.
    const createList = (definition.createPagedList ?? createPagedList) as CreatePagedList;
    this.#cache = definition.cache;
    this.#limits = runtime.limits;
    this.#list = createList("resources", entries, runtime);
    this.#templateList = createList("resourceTemplates", templates, runtime);
    const { whole = definition } = definition;
    if (whole !== definition) this.#served = new Set<Item>([...entries, ...templates]);
    const { resources: all, resourceTemplates: allTemplates } = whole as ServerDefinition;
    this.#byUri = new Map(all.map((entry) => [entry.definition.uri, entry]));
    this.#templates = allTemplates.map((entry) => ({
      entry,
      match: uriMatcher(entry.parts, entry.raw),
    }));
    this.#runtime = runtime;
  }

  /**
   * Answers `resources/list`: the resources, then the instances of templates with a list handler that the caller
   * may use.
   * @throws ProtocolError -32602 for an unknown cursor, -32603 if a list handler fails
   */
  list(parameters: RequestParameters, caller: Caller): Awaitable<Page<"resources", Resource>> {
    const listing = this.#templates.flatMap(({ entry }) => {
      const { list } = entry;
      const isListed =
        this.#isOn(entry) && mayUse(entry, caller.authentication) && !this.#hides(entry, caller);
      return list !== undefined && isListed ? [{ entry, list }] : [];
    });
    if (listing.length === 0) return this.#list.page(parameters, caller);
    return this.#listWithInstances(parameters["cursor"], listing, caller);
  }

  /** Answers `resources/templates/list`. @throws ProtocolError -32602 for an unknown cursor */
  listTemplates(
    parameters: RequestParameters,
    caller: Caller,
  ): Page<"resourceTemplates", ResourceTemplateType> {
    return this.#templateList.page(parameters, caller);
  }

  /** Whether resources or templates can be switched on and off. */
  get canChange(): boolean {
    return this.#list.canChange;
  }

  /**
   * Returns the resource at a URI, or the template of which it is an instance; undefined if there is none, or it is
   * hidden from the caller.
   */
  entryAt(
    uri: string | undefined,
    caller?: Partial<Caller>,
  ): ResourceEntry | ResourceTemplateEntry | undefined {
    if (uri === undefined || uri.length > this.#limits.uriLength) return undefined;
    return this.#find(uri, caller)?.entry;
  }

  /**
   * Reads the resource at a URI: a listed one, or an instance of the first template that matches. The URI is not
   * normalised.
   * @throws ProtocolError -32602 with `data.uri` if there is none, -32603 if reading fails
   */
  read(parameters: RequestParameters, caller: Caller): Awaitable<ReadResourceResult | Result> {
    const uri = textParameter(parameters, "uri");
    const { uriLength } = this.#limits;
    if (uri.length > uriLength) {
      const limit = exceedLimit(this.#runtime, caller, "uriLength");
      throw invalidParams(`URI longer than ${uriLength} characters (${limit})`);
    }
    const found = this.#find(uri, caller);
    if (found === undefined) throw notFound(uri);
    const read = (): Awaitable<ReadResourceResult | Result> =>
      after(this.#readFound(found, uri, caller), (result) => {
        if (result instanceof ProtocolResult) return result.result;
        return caller.era === "modern" ? { ...result, ...this.#cacheHints(found.entry) } : result;
      });
    return recover(read, (error) => {
      if (error instanceof NotFoundError) throw notFound(uri);
      const { requestId } = caller;
      const resource = found.entry.definition.name;
      throw publicError(error, withFields(this.#runtime.log, { requestId, resource }));
    });
  }

  async #listWithInstances(
    cursor: unknown,
    listing: readonly Lister[],
    caller: Caller,
  ): Promise<Page<"resources", Resource>> {
    const { limits, log, pageSize } = this.#runtime;
    // The number of instances is known only afterwards, and may differ from page to page.
    const { positions, owner } = this.#list.visibleTo(caller);
    const start = readCursor(cursor, Infinity, owner);
    try {
      const instances = await Promise.all(
        listing.map(async ({ entry, list }) => {
          const code = await list();
          const handler = (_input: never, context: never): unknown => code(context);
          const { timeoutMs } = entry;
          const returned = await recover(
            () => runHandler(this.#runtime, caller, handler, undefined, timeoutMs),
            (error) => noneYet(error, log),
          );
          return toListedResources(entry, returned, limits);
        }),
      );
      return pageOf("resources", [...positions, ...instances.flat()], start, owner, pageSize);
    } catch (error) {
      const { requestId } = caller;
      throw publicError(error, withFields(log, { requestId, method: "resources/list" }));
    }
  }

  /** Finds what is at a URI. Another item that matches does not replace one that is hidden. */
  #find(uri: string, caller?: Partial<Caller>): Found | undefined {
    const found = this.#findAny(uri);
    return found !== undefined && this.#hides(found.entry, caller) ? undefined : found;
  }

  /** Whether an item does not exist for a caller, or for nobody. */
  #hides(entry: ResourceEntry | ResourceTemplateEntry, caller?: Partial<Caller>): boolean {
    if (this.#served !== undefined && !this.#served.has(entry)) return true;
    return caller !== undefined && this.#isHidden?.(entry, caller) === true;
  }

  #findAny(uri: string): Found | undefined {
    const listed = this.#byUri.get(uri);
    if (listed !== undefined) return this.#isOn(listed) ? { entry: listed } : undefined;
    for (const { entry, match } of this.#templates) {
      const variables = this.#isOn(entry) ? match(uri) : undefined;
      if (variables !== undefined) return { entry, variables };
    }
    return undefined;
  }

  #isOn({ definition }: ResourceEntry | ResourceTemplateEntry): boolean {
    return this.#list.isOn(definition.name);
  }

  #cacheHints({ cache }: ResourceEntry | ResourceTemplateEntry): object {
    return { ...this.#cache, ...cache };
  }

  #readFound(
    { entry, variables }: Found,
    uri: string,
    caller: Caller,
  ): Awaitable<ReadResourceResult | ProtocolResult> {
    const { handler, definition, mock } = entry;
    if (handler === undefined) return this.#readStated(entry, uri, caller.memory);
    const { name, mimeType, _meta: meta } = definition;
    const ui = variables === undefined ? meta?.["ui"] : undefined;
    const kind = variables === undefined ? "resource" : "template";
    const call = { name: `${kind} ${name}`, item: entry, handler, input: variables ?? uri };
    const run = (): Awaitable<unknown> => runItem(this.#runtime, caller, call);
    const isMocked = this.#runtime.mock && mock !== undefined;
    return after(isMocked ? recover(run, (error) => mockOf(mock, error)) : run(), (returned) =>
      returned instanceof ProtocolResult
        ? returned
        : toReadResult(name, returned, { uri, mimeType, ui }, this.#runtime.limits.resultLength),
    );
  }

  /** Reads the content in the manifest: a text, a blob or a file. */
  #readStated(
    { definition: { mimeType, _meta: meta }, text, blob, file = "" }: StatedContent,
    uri: string,
    memory: Caller["memory"],
  ): Awaitable<ReadResourceResult> {
    // What clients need to show a page of an MCP App, which many of them look for here alone.
    const ui = meta?.["ui"];
    if (text !== undefined && ui === undefined) {
      // Written out, since members of an object that was spread are slower to find, which each answer does.
      return { contents: [mimeType === undefined ? { uri, text } : { uri, mimeType, text }] };
    }
    const head = {
      uri,
      ...(mimeType === undefined ? {} : { mimeType }),
      ...(ui === undefined ? {} : { _meta: { ui } }),
    };
    if (text !== undefined) return { contents: [{ ...head, text }] };
    if (blob !== undefined) return { contents: [{ ...head, blob }] };
    const limits = { mostBytes: this.#limits.fileBytes, memory };
    return readProjectFile(this.#runtime.root, file, limits).then((bytes) => ({
      contents: [{ ...head, ...fileContents(bytes, mimeType) }],
    }));
  }
}

/** The part of the engine that lists and reads resources. */
export const createResources: CreateFeature = (definition, runtime) => {
  const { resources, resourceTemplates } = definition;
  if (resources.length + resourceTemplates.length === 0) return undefined;
  const answers = new Resources(definition, runtime);
  const lists = resourceTemplates.some(({ list }) => list !== undefined);
  const subscribe = [...resources, ...resourceTemplates].some((entry) => entry.subscribe === true);
  const listChanged = lists || answers.canChange;
  return {
    capabilities: { resources: { subscribe, listChanged } },
    methods: {
      "resources/list": {
        ...listMethod(definition),
        answer: (parameters, caller) => answers.list(parameters, caller),
      },
      "resources/templates/list": {
        ...listMethod(definition),
        answer: (parameters, caller) => answers.listTemplates(parameters, caller),
      },
      "resources/read": {
        parameters: ["uri"],
        caching: {},
        answer: (parameters, caller) => answers.read(parameters, caller),
        itemOf: (parameters, caller) => answers.entryAt(textMember(parameters, "uri"), caller),
      },
    },
  };
};

/** A list handler that is not written yet lists nothing, since its error would make the whole list fail. */
function noneYet(error: unknown, log: Logger): [] {
  if (!(error instanceof NotImplementedError)) throw error;
  log.warning(error.message);
  return [];
}

function notFound(uri: string): ProtocolError {
  return invalidParams(`Resource ${printableExcerpt(uri)} not found`, { uri });
}
