import type {
  CompleteResult,
  GetPromptResult,
  InputRequiredResult,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
} from "@modelcontextprotocol/server";
import type { Authentication } from "../authentication/authentication.js";
import type { Awaitable } from "./awaitable.js";
import type { Caller } from "../context/context.js";
import type {
  ListedPrompt,
  PromptEntry,
  ResourceEntry,
  ResourceTemplateEntry,
  ServerDefinition,
} from "./definition.js";
import type { Page } from "./item-list.js";
import type { RequestParameters } from "./request-parameters.js";
import type { Runtime } from "./runtime.js";

/**
 * The parts of an engine that a project has only where its manifest uses them: the generated
 * definition names the function that makes each, so that nothing else is copied or loaded.
 */
export interface EngineParts {
  /** `createResources` of `resources.ts`, in a project with resources or templates. */
  readonly createResources?: (definition: ServerDefinition, runtime: Runtime) => ResourceAnswers;
  /** `createPrompts` of `prompts.ts`, in a project with prompts. */
  readonly createPrompts?: (definition: ServerDefinition, runtime: Runtime) => PromptAnswers;
  /** `createCompletion` of `completion.ts`, in a project that completes something. */
  readonly createCompletion?: (definition: ServerDefinition, runtime: Runtime) => CompletionAnswers;
  /** `createScopes` of `item-scopes.ts`, in a project with an item that needs scopes. */
  readonly createScopes?: (
    definition: ServerDefinition,
    resources: ResourceAnswers | undefined,
  ) => RequestScopes;
}

/** Answers the methods of resources. */
export interface ResourceAnswers {
  list(parameters: RequestParameters, caller: Caller): Awaitable<Page<"resources", Resource>>;
  listTemplates(parameters: RequestParameters): Page<"resourceTemplates", ResourceTemplateType>;
  read(
    parameters: RequestParameters,
    caller: Caller,
  ): Awaitable<ReadResourceResult | InputRequiredResult>;
  /** The resource at a URI, or the template that it is an instance of; undefined where there is none. */
  entryAt(uri: unknown): ResourceEntry | ResourceTemplateEntry | undefined;
  /** The name of what is at a URI; undefined where nothing is. */
  nameOf(uri: unknown): string | undefined;
  /** Whether a client may ask to be told when the resource at a URI changes. */
  isWatchable(uri: string): boolean;
}

/** Answers the methods of prompts. */
export interface PromptAnswers {
  list(parameters: RequestParameters): Page<"prompts", ListedPrompt>;
  get(
    parameters: RequestParameters,
    caller: Caller,
  ): Awaitable<GetPromptResult | InputRequiredResult>;
  /** The prompt of a name; undefined where it is switched off. */
  find(name: unknown): PromptEntry | undefined;
}

/** Answers `completion/complete`. */
export interface CompletionAnswers {
  /** Whether any argument or variable has values to offer. */
  readonly isOffered: boolean;
  complete(parameters: RequestParameters, caller: Caller): Promise<CompleteResult>;
  /** The name of the prompt or template that a reference leads to; undefined where there is none. */
  nameOf(reference: RequestParameters): string | undefined;
}

/** Knows which scopes requests need. */
export interface RequestScopes {
  /** Those of all items. */
  readonly all: readonly string[];
  /** The scopes that a request needs, all of them, where the caller lacks one; undefined where there is none. */
  unmet(
    method: unknown,
    parameters: unknown,
    caller: Authentication | undefined,
  ): readonly string[] | undefined;
  /** The same of a body with a message, or a list of messages as the older eras have it. */
  unmetBy(body: unknown, caller: Authentication | undefined): readonly string[] | undefined;
}
