import type { CacheHint, Implementation } from "@modelcontextprotocol/server";
import type { ResourceSettings } from "../access/verification.js";
import type { CallerSource } from "../access/caller-source.js";
import { createBackends } from "../backends/backends.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { SetLimits } from "../engine/limits.js";
import type { PromptEntry } from "../prompts/definition.js";
import type { ResourceEntry, ResourceTemplateEntry } from "../resources/definition.js";
import type { Environment, EnvVariable } from "../start/env.js";
import { projectRootOf } from "../start/project-root.js";
import type { ProjectContext } from "../start/project-context.js";
import type { ServedTransport } from "../start/transport.js";
import type { ToolEntry } from "../tools/definition.js";
import { loadParts, settingParts } from "./late-parts.js";
import type { LatePart, LateServerPart, ServerPart, StatedDefinition } from "./server-part.js";
import type { CompletionSources } from "../completion/definition.js";
import { type Awaitable, cachedImport } from "../engine/awaitable.js";
import type { AnyHandler, CompletionSource, ItemHandler } from "../engine/item.js";
import type { PromptContent } from "../prompts/prompts.js";
import type { ResourceContent } from "../resources/content.js";
import type { ListedInstance } from "../resources/instances.js";
import type { ToolResult } from "../tools/result.js";
import {
  createServer as createRunningServer,
  type RunningServer,
  type ServerOptions,
} from "./create-server.js";
import type { ReplaceHandler } from "./replaced-handlers.js";

/** What a server offers, over which transports, guarded by what. Only `info` and `transports` are required. */
export interface ServerSettings<Env, Services> {
  /**
   * `import.meta.url` of the module that defines the server. The nearest folder above it that has a `package.json` is
   * the project's folder, to which paths are relative. By default, that is the current folder.
   */
  readonly module?: string;
  /** Imports the functions that make and close the services of handlers. It is called when the server starts. */
  readonly context?: () => Promise<ProjectContext<Env, Services>>;
  /** The name, version and texts by which clients know the server. */
  readonly info: Implementation;
  /** The instructions for models that use the server. */
  readonly instructions?: string;
  /** Whether clients of protocol versions before 2026-07-28 are served too. By default they are. */
  readonly protocol?: ServerDefinition["protocol"];
  /** Caching hints for lists and resources; an item may have its own. */
  readonly cache?: CacheHint;
  /** Most items on a page of a list. By default, all items are on one page. */
  readonly pageSize?: number;
  /**
   * The extensions of the protocol that the project's own code implements, by their ids (`com.example/name`), with the
   * settings that clients get under `capabilities.extensions`.
   */
  readonly extensions?: NonNullable<ServerDefinition["extensions"]>;
  /**
   * Limits that differ from the defaults. Times (`…Ms`) are in milliseconds, sizes (`…Bytes`) in bytes, and the length of
   * results in UTF-16 code units.
   */
  readonly limits?: SetLimits;
  /** The environment variables that handlers get as `ctx.env`, checked and converted at start. */
  readonly env?: readonly EnvVariable[];
  /** Where the texts of variables come from, also those of the runtime such as `PORT`. By default, that is `process.env`. */
  readonly environment?: Environment;
  /** What the server is served over, such as `stdio()` and `http()`. */
  readonly transports: readonly ServedTransport[];
  /** The ways to identify callers over the network, in the order in which they are tried. Without any, all may call. */
  readonly auth?: readonly CallerSource<Env>[];
  /** The description of this server as an OAuth resource, for clients that look for a token. */
  readonly resource?: (env: Env) => ResourceSettings;
  /** Methods that clients of 2026-07-28 may call without credentials, such as `tools/list`. */
  readonly publicMethods?: readonly string[];
  /** Further parts of the server: backends, the audit trail, shared state, and so on. */
  readonly use?: readonly (ServerPart | LateServerPart)[];
  /** The tools, each made by `defineTool`, in the order in which they are listed. */
  readonly tools?: readonly ToolEntry[];
  /** The resources, each made by `defineResource`, in the order in which they are listed. */
  readonly resources?: readonly ResourceEntry[];
  /** The resource templates, each made by `defineResourceTemplate`, in the order in which they are listed. */
  readonly resourceTemplates?: readonly ResourceTemplateEntry[];
  /** The prompts, each made by `definePrompt`, in the order in which they are listed. */
  readonly prompts?: readonly PromptEntry[];
}

/** A server that can be started (`start` of `@mcpwright/runtime/start`), or called in process (`createServer`). */
export interface Server<Env = never, Services = never> {
  /** What the server offers and uses, put together from its settings. `start` and `createServer` import the rest. */
  readonly definition: StatedDefinition;
  /** What the server is served over. */
  readonly transports: readonly ServedTransport[];
  /** The project's folder. It is looked for when it is first needed. */
  readonly root: string;
  /** Where the texts of variables come from; by default `process.env`. */
  readonly environment?: Environment;
  /** Imports the functions that make and close the services of handlers. */
  readonly context: () => Promise<ProjectContext<Env, Services>>;
}

/**
 * Puts a server together. It opens nothing, and imports no code of handlers: that is done by `start`, which serves the server
 * as a process, and by `createServer`.
 */
export function defineServer<Env = object, Services = undefined>(
  settings: ServerSettings<Env, Services>,
): Server<Env, Services> {
  const { module, context = async () => ({}), environment, transports } = settings;
  const { auth, resource, use = [] } = settings;
  const definition = use.reduce<ServerDefinition>((joined, part) => {
    const added = typeof part === "function" ? part(joined) : part.settings;
    const serves = [...(joined.serves ?? []), ...(added?.serves ?? [])];
    return { ...joined, ...added, serves };
  }, definitionOf(settings));
  const ownParts = use.flatMap((part) => (typeof part === "function" ? [] : part.load));
  const transportParts = transports.flatMap(({ part }) => part ?? []);
  const authParts = auth === undefined ? [] : [authPart(auth, resource)];
  let root: string | undefined;
  return {
    definition: {
      ...definition,
      lateParts: [...settingParts, ...ownParts, ...authParts, ...transportParts],
    },
    transports,
    context,
    ...(environment !== undefined && { environment }),
    get root() {
      return (root ??= module === undefined ? process.cwd() : projectRootOf(module));
    },
  };
}

function definitionOf<Env, Services>(settings: ServerSettings<Env, Services>): ServerDefinition {
  const { module: _module, context: _context, environment: _environment, ...others } = settings;
  const { auth, resource: _resource, use: _use, ...rest } = others;
  const { tools = [], resources = [], resourceTemplates = [], prompts = [], env = [] } = rest;
  const { protocol = { legacy: "serve" } } = rest;
  const newKey = auth?.map((source) => source.newKey).find((make) => make !== undefined);
  return {
    ...rest,
    ...{ protocol, env, tools, resources, resourceTemplates, prompts },
    transports: settings.transports.map(({ definition }) => definition),
    createBackends,
    serves: [],
    ...(newKey !== undefined && { newKey }),
  };
}

/** The part that identifies callers. */
function authPart<Env>(
  auth: readonly CallerSource<Env>[],
  resource: ((env: Env) => ResourceSettings) | undefined,
): LatePart {
  return async () => {
    const { verification } = await import("../access/verification.js");
    return {
      createVerification: (env: Env, server) =>
        verification(
          auth.map((source) => source.open(env, server)),
          server,
          resource?.(env),
        ),
    };
  };
}

/** The code of an item, as its module defines it. It is imported at the first use. */
export interface ItemCode<Input, Output, Context> {
  /** Absent if the manifest contains the answer. */
  readonly handler?: () => Promise<(input: Input, ctx: Context) => Awaitable<Output>>;
}

/** A tool, as its module states it. `Input` and `Context` are the arguments of its handler, `Output` its result. */
export type ToolDefinition<Input, Output, Context> = Omit<ToolEntry, "handler" | "lateParts"> &
  ItemCode<Input, Output | ToolResult<Output>, Context>;

/**
 * Makes the entry of a tool, for `tools` of `defineServer`. `handler` and `validators` import code at its first use; one that
 * cannot be imported is logged, and calls of the tool fail. Arguments are validated before the handler gets them. It
 * returns the value for `outputSchema`, or content, and its errors are those of `ToolError`.
 */
export function defineTool<Input, Output, Context>(
  tool: ToolDefinition<Input, Output, Context>,
): ToolEntry {
  const { handler: _handler, validators, ...rest } = tool;
  return { ...rest, ...cachedHandler(tool), validators: cachedImport(validators) };
}

/** Answers the requests about resources and templates. */
const resourcesPart: LatePart = async ({ createPagedList: createList }) => {
  const [{ createResources }, { createPagedList }] = await Promise.all([
    import("../resources/resources.js"),
    import("../engine/paged-item-list.js"),
  ]);
  return { createResources, ...(createList === undefined && { createPagedList }) };
};

/** Answers the requests about prompts. */
const promptsPart: LatePart = async () => {
  const { createPrompts } = await import("../prompts/prompts.js");
  return { createPrompts };
};

/** Answers the requests for suggested values. */
const completionPart: LatePart = async () => {
  const { createCompletion } = await import("../completion/completion.js");
  return { createCompletion };
};

/** A resource, as its module defines it. `Context` is the second argument of its handler. */
export type ResourceDefinition<Uri, Context> = Omit<ResourceEntry, "handler" | "lateParts"> &
  ItemCode<Uri, ResourceContent, Context>;

/** A resource template, as its module defines it. `Context` is the second argument of its handler. */
export type ResourceTemplateDefinition<Variables, Context> = Omit<
  ResourceTemplateEntry,
  "handler" | "complete" | "list" | "lateParts"
> &
  Required<Pick<ItemCode<Variables, ResourceContent, Context>, "handler">> &
  CompletionSources<Variables, Context> & {
    /** Imports the handler that lists the instances. */
    readonly list?: () => Promise<
      (ctx: Context) => Awaitable<readonly ListedInstance<Variables>[]>
    >;
  };

/**
 * Makes the entry of a resource, for `resources` of `defineServer`. `handler` imports the handler at its first use, which gets
 * the URI; without a handler, the resource has a text, a blob or a file.
 */
export function defineResource<Uri, Context>(
  resource: ResourceDefinition<Uri, Context>,
): ResourceEntry {
  const { handler: _handler, ...rest } = resource;
  return { ...rest, ...cachedHandler(resource), lateParts: [resourcesPart] };
}

/**
 * Makes the entry of a resource template, for `resourceTemplates` of `defineServer`. The handler gets the decoded values of the
 * variables, and throws a `NotFoundError` where they name no resource.
 */
export function defineResourceTemplate<Variables, Context>(
  template: ResourceTemplateDefinition<Variables, Context>,
): ResourceTemplateEntry {
  const { handler: _handler, complete, list, ...rest } = template;
  return {
    ...rest,
    ...(cachedHandler(template) as ItemHandler),
    ...cachedCompletions(complete),
    lateParts: complete === undefined ? [resourcesPart] : [resourcesPart, completionPart],
    ...(list && { list: cachedImport(list as () => Promise<(context: never) => unknown>) }),
  };
}

/** A prompt, as its module defines it. `Context` is the second argument of its handler. */
export type PromptDefinition<Arguments, Context> = Omit<
  PromptEntry,
  "handler" | "complete" | "lateParts"
> &
  ItemCode<Arguments, PromptContent, Context> &
  CompletionSources<Arguments, Context>;

/**
 * Makes the entry of a prompt, for `prompts` of `defineServer`. The handler gets the arguments, all texts; without a handler, the
 * prompt has fixed messages.
 */
export function definePrompt<Arguments, Context>(
  prompt: PromptDefinition<Arguments, Context>,
): PromptEntry {
  const { handler: _handler, complete, ...rest } = prompt;
  return {
    ...rest,
    ...cachedHandler(prompt),
    ...cachedCompletions(complete),
    lateParts: complete === undefined ? [promptsPart] : [promptsPart, completionPart],
  };
}

/** Converts the handler to the form of the server's tables: its import is cached, and its types are erased. */
function cachedHandler<Input, Output, Context>({
  handler,
}: ItemCode<Input, Output, Context>): Partial<ItemHandler> {
  if (handler === undefined) return {};
  return { handler: cachedImport(handler as () => Promise<AnyHandler<unknown>>) };
}

/** Converts completions to the form of the server's tables: imports are cached, and the types of handlers erased. */
function cachedCompletions(complete: Readonly<Record<string, unknown>> | undefined): {
  readonly complete?: Readonly<Record<string, CompletionSource>>;
} {
  if (complete === undefined) return {};
  const sources = Object.entries(complete).map(([name, source]) => [
    name,
    typeof source === "function"
      ? cachedImport(source as () => Promise<AnyHandler<unknown>>)
      : source,
  ]);
  return { complete: Object.fromEntries(sources) as Record<string, CompletionSource> };
}

/** Options of a server in process. All may be left out. */
export type InProcessOptions<Env, Services> = Partial<Omit<ServerOptions, "env" | "services">> & {
  /** The values of the environment variables, as handlers get them; none by default. */
  readonly env?: Env;
  /** The services of handlers, as `ctx.services`. */
  readonly services?: Services;
  /** Returns a handler that replaces an item's own, for tests. If undefined, all items keep theirs. */
  readonly replaceHandler?: ReplaceHandler;
};

/**
 * Makes a running server without a transport, for calls in process or for a transport of your own. It checks no environment
 * variables and makes no services: the options have them. Close it at the end.
 */
export async function createServer<Env, Services>(
  { definition, root }: Server<Env, Services>,
  { replaceHandler, ...options }: InProcessOptions<Env, Services> = {},
): Promise<RunningServer> {
  const whole = await loadParts(definition);
  const replaced =
    replaceHandler === undefined
      ? whole
      : (await import("./replaced-handlers.js")).withReplacedHandlers(whole, replaceHandler);
  return createRunningServer(replaced, { root, ...options });
}
