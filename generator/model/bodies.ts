import type { JsonObject, JsonValue } from "./json.js";
import type { SqlPart } from "../text/sql-text.js";
import type { SqlDialect } from "../text/sql-tokens.js";
import type { TextTemplate } from "./text-template.js";

/**
 * What the manifest says that an item does, compiled into code of the project. A kind of body has a room in
 * each phase: `2-validate/bodies/`, `3-normalize/bodies/`, `5-emit/bodies/` and `5-emit/contract-tests/bodies/`.
 */
export type BodyModel =
  HttpBodyModel | SqlBodyModel | ExecBodyModel | DirectoryBodyModel | McpBodyModel;

const BODY_KINDS: ReadonlySet<string> = new Set<BodyModel["kind"]>([
  "http",
  "sql",
  "exec",
  "directory",
  "mcp",
]);

/** Whether what an item does is a body. */
export function isBody(behaviour: { readonly kind: string } | undefined): behaviour is BodyModel {
  return behaviour !== undefined && BODY_KINDS.has(behaviour.kind);
}

/**
 * What finds the values of a completion, or the instances of a template: a request, a statement that reads, or the
 * files of a directory, which are those that the template itself reads.
 */
export type SourceModel = HttpBodyModel | SqlBodyModel | DirectoryBodyModel;

const SOURCE_KINDS: ReadonlySet<string> = new Set<SourceModel["kind"]>([
  "http",
  "sql",
  "directory",
]);

/** Whether a body finds values, rather than a list of the manifest or code. */
export function isSource(
  found: readonly string[] | "code" | BodyModel | undefined,
): found is SourceModel {
  return typeof found === "object" && "kind" in found && SOURCE_KINDS.has(found.kind);
}

/** The values that the manifest itself offers; undefined where they are found. */
export function offeredValues(
  complete: readonly string[] | "code" | SourceModel | undefined,
): readonly string[] | undefined {
  return complete === "code" || isSource(complete) ? undefined : complete;
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
  /** Texts by the statuses that they stand for. */
  readonly errors: readonly { readonly status: number; readonly text: TextTemplate }[];
}

/** One SQL statement. */
export interface SqlBodyModel {
  readonly kind: "sql";
  /** Name of the database. */
  readonly database: string;
  readonly dialect: SqlDialect;
  readonly statement: readonly SqlPart[];
  readonly maxRows?: number;
  /** Whether the answer is one row, or null. */
  readonly row: boolean;
  readonly write: boolean;
  /** Columns that the output schema wants as numbers. */
  readonly numbers: readonly string[];
}

/** One program. */
export interface ExecBodyModel {
  readonly kind: "exec";
  /** The program and its arguments. */
  readonly command: readonly CommandPart[];
  /** The folder that it runs in, from the project's: a path, or the variable that holds it. */
  readonly cwd?: string | { readonly env: string };
  /** Its environment variables, beside `PATH`. */
  readonly env: readonly (readonly [name: string, value: string | { readonly env: string }])[];
  readonly stdin?: BodyValue;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  readonly okStatus?: readonly number[];
  readonly output: "text" | "json" | "lines";
}

/** The files of a folder. */
export interface DirectoryBodyModel {
  readonly kind: "directory";
  /** From the project's folder: a path, or the variable that holds it. */
  readonly root: string | { readonly env: string };
  readonly hidden: boolean;
  readonly maxBytes?: number;
  /** Whether clients are told of changes. */
  readonly watch: boolean;
}

/** A request to another MCP server. */
export type McpBodyModel = McpCallModel | McpReadModel;

/** A call of a tool, or a prompt, of another MCP server. */
export interface McpCallModel {
  readonly kind: "mcp";
  /** Name of the upstream that is an MCP server. */
  readonly server: string;
  readonly asks: "tool" | "prompt";
  /** What that server calls the item. */
  readonly name: string;
  /** What it gets; all arguments of the item where it is absent. */
  readonly arguments?: BodyValue;
}

/** A resource of another MCP server. */
export interface McpReadModel {
  readonly kind: "mcp";
  readonly server: string;
  readonly asks: "resource";
  /** The URI that it has there, or the template of its URI. */
  readonly uri: string;
  /** Whether the variables of the item are put into it. */
  readonly isTemplate: boolean;
}

/** A part of a command: a literal, a text with arguments, or the argument itself. */
export type CommandPart = Extract<BodyValue, { kind: "argument" | "text" | "literal" }>;

/** What a program does in an example. */
export interface ProgramAnswerModel {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number;
}

/** A literal part of a path, percent-encoded, or an argument. */
export type PathPart = string | ArgumentValue;

export type NamedValues = readonly (readonly [name: string, value: BodyValue])[];

/** A value of a request, with the arguments that it is made of. */
export type BodyValue =
  | ArgumentValue
  | { readonly kind: "text"; readonly text: TextTemplate }
  | { readonly kind: "literal"; readonly value: JsonValue }
  | { readonly kind: "list"; readonly items: readonly BodyValue[] }
  | { readonly kind: "object"; readonly members: NamedValues };

/** An argument as it is, left out where it is absent. */
export interface ArgumentValue {
  readonly kind: "argument";
  readonly argument: string;
  /** How OpenAPI writes it; absent for the usual way. */
  readonly style?: JsonObject;
}

export interface HttpResultModel {
  /** JSON Pointer. */
  readonly from?: string;
  readonly fields?: readonly string[];
  readonly maxBytes?: number;
  readonly truncate?: boolean;
}

export interface HttpPagesModel {
  readonly cursor?: { readonly query: string; readonly from: string };
  readonly page?: { readonly query: string; readonly first: number };
  readonly link?: true;
  readonly maxPages: number;
}

/** A service that the server calls, as the runtime reads it: `templates/runtime/upstreams/definition.ts`. */
export interface UpstreamModel {
  readonly name: string;
  /** Everything but the name. */
  readonly settings: JsonObject;
}

/** Another MCP server, as the runtime reads it: `templates/runtime/remote-servers/definition.ts`. */
export interface RemoteServerModel {
  readonly name: string;
  /** Whether it is a program that is started, or at a URL. */
  readonly kind: "program" | "url";
  /** Everything but the name. */
  readonly settings: JsonObject;
}

/** A database that the server asks, as the runtime reads it: `templates/runtime/databases/definition.ts`. */
export interface DatabaseModel {
  readonly name: string;
  readonly type: SqlDialect;
  /** Its URL, or the path of its file: a text, or the variable that holds it. */
  readonly place: string | { readonly env: string };
  readonly poolSize: number;
  readonly timeoutMs: number;
  /** Path of the statements that generated tests run first. */
  readonly testSetup?: string;
}

/** What an upstream answers in an example. */
export interface HttpAnswerModel {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: JsonValue;
  readonly text?: string;
}
