import type { ClaimTypes } from "./auth.js";
import type { JsonObject, JsonSchema, JsonValue } from "./json.js";
import type { Selection } from "./selection.js";
import type { SqlDialect } from "../text/sql-tokens.js";
import type { TextTemplate } from "./text-template.js";

/**
 * What an item does, where the manifest describes it instead of a handler. The generator compiles a body into
 * code of the project. Each kind of body has a definition in `bodies/`, which the phases ask, and modules in
 * `2-validate/bodies/`, `5-emit/bodies/` and `5-emit/contract-tests/bodies/`.
 */
export type BodyModel =
  HttpBodyModel | SqlBodyModel | ExecBodyModel | DirectoryBodyModel | McpBodyModel;

/** The kinds of `auth` of an upstream whose requests have a token of the caller's own. */
export const CALLER_GRANTS: readonly string[] = [
  ...["exchange", "onBehalfOf", "jwtBearer"],
  "perCaller",
];

/** The kinds of `auth` of an upstream that ask a token endpoint. */
export const TOKEN_GRANTS: readonly string[] = ["clientCredentials", ...CALLER_GRANTS];

/** The methods of HTTP whose requests may be repeated: the second changes nothing that the first has not changed. */
export const IDEMPOTENT_METHODS: readonly string[] = ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"];

/**
 * A body that finds the values of a completion, or the instances of a resource template: an HTTP request, an SQL
 * statement that only reads, or the files of a directory. The directory is the one that the template itself reads.
 */
export type SourceModel = HttpBodyModel | SqlBodyModel | DirectoryBodyModel;

/** The text of an error that an upstream answers. */
export interface StatusError {
  readonly status: number;
  readonly text: TextTemplate;
  /** The placeholders in the text that stand for parts of the answer, not for arguments: `body:/owner`. */
  readonly ofAnswer?: readonly string[];
}

/** One HTTP request. */
export interface HttpBodyModel {
  readonly kind: "http";
  /** Name of the upstream. */
  readonly upstream: string;
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
  readonly path: readonly PathPart[];
  readonly query: NamedValues;
  readonly headers: NamedValues;
  readonly cookies: NamedValues;
  readonly content?:
    | { readonly kind: "json"; readonly value: BodyValue }
    | { readonly kind: "form"; readonly values: NamedValues }
    | { readonly kind: "multipart"; readonly values: NamedValues }
    | { readonly kind: "text"; readonly value: BodyValue };
  readonly result: HttpResultModel;
  readonly pages?: HttpPagesModel;
  /** When the request is repeated, if that differs from the settings of the upstream. */
  readonly retries?: { readonly max: number; readonly on: readonly number[] };
  /** For each error status, the text that the caller gets instead of the upstream's answer. */
  readonly errors: readonly StatusError[];
  /** The claims that its placeholders may name. Absent if it uses nothing of its caller. */
  readonly claims?: ClaimTypes;
  /** What makes the tool's result. */
  readonly select?: SelectModel;
  /** True if an answer that breaks the output schema of the tool is an error without the answer. */
  readonly strict?: true;
}

/** A literal part of a statement, or an argument that is bound there, with its type where the place does not tell it. */
export type StatementPart = string | { readonly argument: string; readonly type?: string };

/** The role and the settings that a statement gets from its caller, for its own transaction alone. */
export interface StatementCallerModel {
  /** The claim that names the role, and all roles that it may name. */
  readonly role?: { readonly claim: string; readonly oneOf: readonly string[] };
  /** The settings by their names. A value is a claim, or the caller's name if it has none. */
  readonly set: readonly (readonly [setting: string, value: { readonly claim?: string }])[];
  /** The types of the claims. */
  readonly claims: ClaimTypes;
}

/** One SQL statement. */
export interface SqlBodyModel {
  readonly kind: "sql";
  /** Name of the database. */
  readonly database: string;
  readonly dialect: SqlDialect;
  readonly statement: readonly StatementPart[];
  readonly maxRows?: number;
  readonly maxBytes?: number;
  /** True if the answer is a single row, or null if there is none. False if it is a list of rows. */
  readonly row: boolean;
  readonly write: boolean;
  /** Columns that the output schema declares as numbers. */
  readonly numbers: readonly string[];
  /** Absent if the statement takes nothing of its caller. */
  readonly caller?: StatementCallerModel;
  /** What makes the tool's result. */
  readonly select?: SelectModel;
  /** True if rows that break the output schema of the tool are an error without the rows. */
  readonly strict?: true;
}

/** One program. */
export interface ExecBodyModel {
  readonly kind: "exec";
  /** The program and its arguments. */
  readonly command: readonly CommandPart[];
  /** Its working directory, relative to the project's folder: a path, or the environment variable with the path. */
  readonly cwd?: string | { readonly env: string };
  /** Its environment variables, in addition to `PATH`. */
  readonly env: readonly (readonly [name: string, value: string | { readonly env: string }])[];
  readonly stdin?: BodyValue;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  readonly okStatus?: readonly number[];
  /** The arguments whose values are not checked, for those who read the documents. */
  readonly trusted: readonly string[];
  readonly output: "text" | "json" | "lines";
  /** True if an output that breaks the output schema of the tool is an error without the output. */
  readonly strict?: true;
}

/** The files of a folder. */
export interface DirectoryBodyModel {
  readonly kind: "directory";
  /** The folder, relative to the project's folder: a path, or the environment variable with the path. */
  readonly root: string | { readonly env: string };
  readonly hidden: boolean;
  readonly maxBytes?: number;
  /** True if clients are notified when a file changes. */
  readonly watch: boolean;
}

/** A request to another MCP server. */
export type McpBodyModel = McpCallModel | McpReadModel;

/** A call of a tool of another MCP server, or a request for a prompt of it. */
export interface McpCallModel {
  readonly kind: "mcp";
  /** Name of the upstream that is an MCP server. */
  readonly server: string;
  readonly asks: "tool" | "prompt";
  /** The name that the other server has for the item. */
  readonly name: string;
  /** The arguments to send. If absent, all arguments of the item are sent. */
  readonly arguments?: BodyValue;
  /** What makes the tool's result. */
  readonly select?: SelectModel;
  /** True if a result that breaks the output schema of the tool is an error without the result. */
  readonly strict?: true;
}

/** A resource of another MCP server. */
export interface McpReadModel {
  readonly kind: "mcp";
  readonly server: string;
  readonly asks: "resource";
  /** The URI of the resource on the other server, or the URI template. */
  readonly uri: string;
  /** True if `uri` is a template, into which the item's variables are put. */
  readonly isTemplate: boolean;
}

/** A part of a command: a literal, a text with arguments, or the argument itself. */
export type CommandPart = Extract<BodyValue, { kind: "argument" | "text" | "literal" }>;

/** The output of a program in an example, and its exit status. */
export interface ProgramAnswerModel {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number;
}

/** A literal part of a path, percent-encoded, or an argument. */
export type PathPart = string | ArgumentValue;

export type NamedValues = readonly (readonly [name: string, value: BodyValue])[];

/** A value of a request, which may contain arguments of the item. */
export type BodyValue =
  | ArgumentValue
  | { readonly kind: "text"; readonly text: TextTemplate }
  | { readonly kind: "literal"; readonly value: JsonValue }
  | { readonly kind: "list"; readonly items: readonly BodyValue[] }
  | { readonly kind: "object"; readonly members: NamedValues };

/** The unchanged value of an argument. It is left out of the request if the caller did not give it. */
export interface ArgumentValue {
  readonly kind: "argument";
  readonly argument: string;
  /** OpenAPI's settings for its serialization, such as `style` and `explode`. Absent for the default. */
  readonly style?: JsonObject;
}

/** What makes the result of a tool from an answer. */
export interface SelectModel {
  readonly selection: Selection;
  /** The schema of the answer, without references to shared schemas; absent if the manifest has none. */
  readonly answer?: JsonSchema;
}

export interface HttpResultModel {
  /** JSON Pointer to the part of the answer that becomes the result. */
  readonly from?: string;
  readonly fields?: readonly string[];
  /** The statuses that say that there is nothing. */
  readonly empty?: readonly number[];
  /** The result for the status 204. */
  readonly noContent?: BodyValue;
  /** The headers that the result has beside the answer, by the names of their members. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxBytes?: number;
  readonly truncate?: boolean;
}

export interface HttpPagesModel {
  readonly cursor?: { readonly query: string; readonly from: string };
  readonly page?: { readonly query: string; readonly first: number };
  readonly link?: true;
  readonly maxPages: number;
  /** True if callers ask for further pages. */
  readonly expose?: true;
}

/** A service that the server calls, in the form that `templates/runtime/upstreams/definition.ts` reads. */
export interface UpstreamModel {
  readonly name: string;
  /** Everything but the name. */
  readonly settings: JsonObject;
}

/** Another MCP server, in the form that `templates/runtime/remote-servers/definition.ts` reads. */
export interface RemoteServerModel {
  readonly name: string;
  /** `program` if this server starts the other one, `url` if the other one is reached at a URL. */
  readonly kind: "program" | "url";
  /** Everything but the name. */
  readonly settings: JsonObject;
}

/** A database that the server queries, in the form that `templates/runtime/databases/definition.ts` reads. */
export interface DatabaseModel {
  readonly name: string;
  readonly type: SqlDialect;
  /** Its URL, or the path of its file: a text, or the environment variable that holds it. */
  readonly place: string | { readonly env: string };
  readonly poolSize: number;
  readonly timeoutMs: number;
  /** Path of an SQL file that generated tests run before anything else. */
  readonly testSetup?: string;
}

/** The answer of an upstream in an example. */
export interface HttpAnswerModel {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: JsonValue;
  readonly text?: string;
}
