import type { AppView } from "../../templates/runtime/apps/app-view.js";
import type { LimitName } from "../../templates/runtime/engine/limits.js";
import type { AuditDefinition } from "../../templates/runtime/audit/definition.js";
import type { Deprecation } from "../../templates/runtime/engine/item.js";
import type { UriTemplatePart } from "../../templates/runtime/resources/definition.js";
import type { ScaleDefinition } from "../../templates/runtime/scale/definition.js";
import type { SkillFolder } from "../../templates/runtime/skills/definition.js";
import type { TaskSettings } from "../../templates/runtime/tasks/definition.js";
import type { SetLimit } from "./limits.js";
import type { AuthModel } from "./auth.js";
import type {
  BodyModel,
  DatabaseModel,
  HttpAnswerModel,
  ProgramAnswerModel,
  RemoteServerModel,
  SourceModel,
  UpstreamModel,
} from "./bodies.js";
import type { JsonObject, JsonSchema, JsonValue } from "./json.js";
import type { ManifestPackage } from "./manifest.js";
import type { TextTemplate } from "./text-template.js";
import type { TransportModel } from "./transports.js";
import type { QuestionValue } from "../text/question-values.js";

/**
 * The server that a valid manifest describes, with every default filled in and every name
 * resolved. Made by 3-normalize, deeply frozen, and the only input of the later phases:
 * nothing past this point knows about YAML.
 */
export interface ServerModel {
  /** npm package name and `serverInfo.name`. */
  readonly name: string;
  /** Absent if the manifest leaves the version to the project's `package.json`. */
  readonly version?: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly JsonObject[];
  readonly instructions?: string;
  readonly license?: string;
  readonly author?: JsonValue;
  readonly repository?: JsonValue;
  readonly keywords?: readonly string[];
  readonly protocol: ProtocolModel;
  readonly transports: readonly TransportModel[];
  readonly env: readonly EnvVariableModel[];
  /** Services that the server calls. Absent if there are none. */
  readonly upstreams?: readonly UpstreamModel[];
  /** Other MCP servers that the server calls. Absent if there are none. */
  readonly servers?: readonly RemoteServerModel[];
  readonly databases?: readonly DatabaseModel[];
  /** Who may call over the network. Absent if the manifest has no `auth`. */
  readonly auth?: AuthModel;
  readonly audit?: AuditDefinition;
  /** Present if the server records an OpenTelemetry span for each request. */
  readonly telemetry?: true;
  /** What the processes of this server share. Absent if they share nothing. */
  readonly scale?: ScaleDefinition;
  /** How people can get the server, besides its npm package. Absent if the manifest has no `package`. */
  readonly package?: PackageModel;
  /** Which files for containers the project has. Absent if there are none. */
  readonly deploy?: DeployModel;
  /** Only the limits that the manifest sets. The runtime has a default for every other limit. */
  readonly limits?: LimitsModel;
  /** Caching hints for all lists and reads. An item may have its own hints. */
  readonly cache?: CacheModel;
  /** Number of items on a page of a list. If absent, a list has only one page. */
  readonly pageSize?: number;
  /** The settings of extensions that the project's own code implements, by their ids. Absent if there are none. */
  readonly extensions?: Readonly<Record<string, JsonObject>>;
  /** Number of tokens that the lists should take at most. Absent if the manifest sets none. */
  readonly tokenBudget?: number;
  /** Which tools are listed. Absent if all are. */
  readonly exposure?: ExposureModel;
  /** Present if two tools list and read the resources. */
  readonly resourceTools?: true;
  /** The variables and scopes by which operators and callers get a part of the items. */
  readonly restrict?: RestrictModel;
  readonly sharedSchemas: readonly SharedSchemaModel[];
  readonly tools: readonly ToolModel[];
  readonly resources: readonly ResourceModel[];
  readonly resourceTemplates: readonly ResourceTemplateModel[];
  readonly prompts: readonly PromptModel[];
  /** The folders of skills. Absent if there are none. */
  readonly skills?: readonly SkillFolder[];
}

export interface ProtocolModel {
  /** Whether clients that speak an older era of the protocol than 2026-07-28 are served, too. */
  readonly legacy: "serve" | "reject";
}

/** Ways to get the server besides npm. Each property is absent if the manifest does not ask for it. */
export type PackageModel = { readonly registry?: RegistryModel } & {
  readonly [Way in Exclude<keyof ManifestPackage, "registry">]?: true;
};

/** Which files for running the server elsewhere the project has: in containers, or as a worker or function. */
export interface DeployModel {
  readonly docker: boolean;
  readonly compose: boolean;
  readonly kubernetes: boolean;
  readonly workers: boolean;
  readonly lambda: boolean;
  readonly vercel: boolean;
  readonly bun: boolean;
  readonly deno: boolean;
}

/** The entry in the MCP registry. */
export interface RegistryModel {
  readonly name: string;
  /** The public URL of the server over HTTP. Absent if it has none. */
  readonly url?: string;
  /** True if the entry names the npm package. */
  readonly npm: boolean;
}

/** Limits of the running server: numbers, or the variables that set them. */
export type LimitsModel = Readonly<Partial<Record<LimitName, SetLimit>>>;

export interface CacheModel {
  /** How long an answer stays fresh, in milliseconds. */
  readonly ttlMs?: number;
  readonly cacheScope?: "public" | "private";
}

/** Which tools are listed. Clients find all other tools by searching. */
export interface ExposureModel {
  /** Names of the tools that are listed, in the manifest's order of tools. */
  readonly listed: readonly string[];
}

export interface EnvVariableModel {
  readonly name: string;
  readonly type: "string" | "number" | "boolean" | "url";
  readonly description?: string;
  readonly required: boolean;
  readonly secret: boolean;
  readonly default?: string | number | boolean;
  readonly enum?: readonly (string | number)[];
  /** True if the server uses it only over the network, and is also served without: a process of stdio does not need it. */
  readonly network?: true;
  /** True if its value is the path of a file or directory. */
  readonly path?: true;
  /** How a bundle asks for it although it may be absent. Absent if a bundle asks only for what is required or secret. */
  readonly ask?: "text" | "file" | "directory";
}

/** An entry of the manifest's `schemas`. */
export interface SharedSchemaModel {
  readonly name: string;
  /** Name of its TypeScript type, unique among all type names. */
  readonly typeName: string;
  /** Name of its module of validators: kebab-case without extension, unique among the shared schemas. */
  readonly fileName: string;
  readonly schema: JsonSchema;
}

/** A schema in all its forms. */
export interface SchemaModel {
  /** As written in the manifest: shared schemas are `{ $ref: "#/schemas/Name" }`. Types are made from this form. */
  readonly authored: JsonSchema;
  /** Self-contained: shared schemas are under its own `$defs`. Clients and validators get this form. */
  readonly wire: JsonSchema;
  /** The shared schemas that `wire` holds, with their keys among its definitions. */
  readonly embedded?: Readonly<Record<string, string>>;
  /**
   * The schema that clients get instead, if model APIs refuse the keywords at the root of `wire`, or listed values have
   * no type there. It accepts what `wire` describes, or more.
   */
  readonly shown?: JsonObject;
}

/** The names that an item has in generated code. They are unique among the items of one kind and need no escaping. */
export interface ItemNames {
  /** camelCase, never a reserved word: `getForecast`. */
  readonly identifier: string;
  /** PascalCase: `GetForecast`. */
  readonly typeName: string;
  /** kebab-case without extension, safe on every file system: `get-forecast`. */
  readonly fileName: string;
}

interface ItemBase extends ItemNames {
  /** The manifest's name: `get_forecast`. */
  readonly name: string;
  /** Names that the item had in earlier manifests. */
  readonly formerNames?: readonly string[];
  /** The entry of the list method, exactly as clients get it. Its keys are in the protocol's order. */
  readonly wire: JsonObject;
  /** True if the item is switched on at the start. Absent if it cannot be switched on and off at run time. */
  readonly enabled?: boolean;
  /** Time limit of its handler in milliseconds. Absent if the server's limit holds. */
  readonly timeoutMs?: number;
  /** OAuth scopes that a caller over the network needs. Never empty. */
  readonly scopes?: readonly string[];
  /** The announcement of its removal. Absent if it stays. */
  readonly deprecated?: Deprecation;
  /** The groups by which it can be chosen. Never empty. */
  readonly groups?: readonly string[];
  /** What its handler may ask the client for. Absent if it asks for nothing. */
  readonly asks?: AsksModel;
}

export interface AsksModel {
  readonly elicitations: readonly ElicitationModel[];
  /** True if it may send requests to the client's model. */
  readonly sampling: boolean;
  /** True if it may ask for the client's folders. */
  readonly roots: boolean;
}

/** The manifest's `restrict`. */
export interface RestrictModel {
  readonly groups?: { readonly env?: string; readonly scopePrefix?: string };
  readonly readOnly?: { readonly env?: string; readonly scope?: string };
}

/** The question whether a tool may run. */
export interface ConfirmModel {
  /** The question as written in the manifest. */
  readonly text: string;
  /** The question, with the arguments of the call. */
  readonly message: TextTemplate;
}

/** A question to the user. */
export type ElicitationModel = FormModel | PageModel;

interface QuestionBase {
  /** The name that handlers use: `ctx.elicit.<key>()`. Unique within its item. */
  readonly key: string;
  /** The message as written in the manifest. */
  readonly text: string;
  readonly message: TextTemplate;
  /** The arguments that the placeholders in its texts name. */
  readonly values: readonly QuestionValue[];
}

/** A form to fill in. */
export interface FormModel extends QuestionBase {
  readonly kind: "form";
  /** `requestedSchema`, exactly as clients get it. */
  readonly schema: JsonObject;
}

/** A web page that the client opens for the user. */
export interface PageModel extends QuestionBase {
  readonly kind: "url";
  readonly url: TextTemplate;
}

/** Properties of resources and resource templates, which clients read. */
interface Readable {
  /** True if clients may subscribe to changes. */
  readonly subscribe: boolean;
  /** Caching hints that differ from the server's. */
  readonly cache?: CacheModel;
}

export interface ToolModel extends ItemBase {
  readonly kind: "tool";
  /** Other names that clients can call the tool by. They are not listed. */
  readonly aliases?: readonly string[];
  readonly input: SchemaModel;
  readonly output?: SchemaModel;
  /** How the text beside structured results is made for clients of 2026-07-28. Absent if it is their JSON. */
  readonly text?: "none" | "summary";
  /** How calls become tasks. Absent if they do not. */
  readonly task?: TaskSettings;
  /** The question that the user must answer with yes before a call runs. Absent if nobody is asked. */
  readonly confirm?: ConfirmModel;
  readonly behaviour: { readonly kind: "handler" } | FixedToolResult | BodyModel;
  readonly examples: readonly ToolExample[];
}

/** The result of a tool that always returns the same result, which the manifest contains. */
export interface FixedToolResult {
  readonly kind: "fixed";
  readonly content: readonly FixedContentBlock[];
  readonly structuredContent?: JsonValue;
  readonly isError: boolean;
}

export interface ToolExample {
  readonly name: string;
  readonly arguments: JsonObject;
  /** The answer of the upstream to the request of this call. */
  readonly http?: HttpAnswerModel;
  /** The output of the program of this call. */
  readonly exec?: ProgramAnswerModel;
  /** Name of the database that the call queries. */
  readonly database?: string;
  readonly expect:
    | { readonly kind: "result"; readonly result: JsonValue }
    | { readonly kind: "text"; readonly text: string }
    | { readonly kind: "error"; readonly error: string };
  /** Rules for the values of the answer that differ from call to call. */
  readonly matches?: readonly ExampleMatcher[];
}

/** A rule for a value of an example's answer that differs from call to call. Without `type` and `pattern`, any value is right. */
export interface ExampleMatcher {
  /** The JSON Pointer in the result, the text or the error. A step `*` is every item of a list. */
  readonly pointer: string;
  readonly type?: string;
  readonly pattern?: string;
}

/** A content block in the manifest. The text of a text block is a template; any other block is sent unchanged. */
export type FixedContentBlock =
  | { readonly kind: "text"; readonly text: TextTemplate; readonly rest: JsonObject }
  | { readonly kind: "verbatim"; readonly block: JsonObject };

export interface ResourceModel extends ItemBase, Readable {
  readonly kind: "resource";
  readonly uri: string;
  readonly mimeType?: string;
  readonly behaviour:
    | { readonly kind: "handler" }
    | { readonly kind: "text"; readonly text: string }
    | { readonly kind: "blob"; readonly blob: string }
    | { readonly kind: "file"; readonly path: string }
    /** The page of an MCP App, which the runtime makes. */
    | { readonly kind: "app"; readonly view: AppView }
    | BodyModel;
}

export interface ResourceTemplateModel extends ItemBase, Readable {
  readonly kind: "resourceTemplate";
  readonly uriTemplate: string;
  readonly parts: readonly UriTemplatePart[];
  readonly variables: readonly UriTemplateVariable[];
  readonly mimeType?: string;
  /** The code or body that lists the instances. Absent if nothing lists them. */
  readonly list?: "code" | SourceModel;
  /** True if its handler also gets values that some file systems take for another place, such as `CON` or `%2e`. */
  readonly raw?: boolean;
  readonly behaviour: { readonly kind: "handler" } | BodyModel;
}

export type { UriTemplatePart };

/** What a completion offers: the values themselves, or the code or body that finds them. */
export type CompletionModel = readonly string[] | "code" | SourceModel;

export interface UriTemplateVariable {
  readonly name: string;
  /** False for the variables of `{?a,b}`, each of which may be absent. */
  readonly required: boolean;
  /** True for `{/path*}`: the handler gets a list of strings. */
  readonly list: boolean;
  readonly complete?: CompletionModel;
}

export interface PromptModel extends ItemBase {
  readonly kind: "prompt";
  readonly arguments: readonly PromptArgumentModel[];
  readonly behaviour:
    | { readonly kind: "handler" }
    | { readonly kind: "messages"; readonly messages: readonly PromptMessageModel[] }
    | BodyModel;
}

export interface PromptArgumentModel {
  readonly name: string;
  readonly required: boolean;
  readonly description?: string;
  readonly complete?: CompletionModel;
}

export interface PromptMessageModel {
  readonly role: "user" | "assistant";
  readonly content: FixedContentBlock;
}

export type ItemModel = ToolModel | ResourceModel | ResourceTemplateModel | PromptModel;
export type ItemKind = ItemModel["kind"];
