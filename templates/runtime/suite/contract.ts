import { generateKeyPairSync } from "node:crypto";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { RestrictDefinition } from "../restrict/definition.js";
import { projectRootOf } from "../start/project-root.js";
import { withWholeValues } from "./changed-values.js";
import type { PromptsContract } from "./items/prompt-contract.js";
import type { QuestionsContract } from "./items/question-contract.js";
import type { ResourcesContract } from "./items/resource-contract.js";
import type { ValueMatcher } from "./matching.js";
import type { StandInContracts } from "./stand-in-suites.js";
import type { SchemasContract } from "./items/schema-contract.js";
import { withDefinitions } from "./schema-definitions.js";

/** The project whose server is tested. */
export interface TestedProject {
  /** The project's folder. Tests run in `dist/`, to which the compiler copies no JSON. */
  readonly folder: URL;
  /** The arguments of Node.js that start the server with the services of the tests. Flags of the server follow them. */
  readonly entry: readonly [path: string, module: string];
  /** The compiled `src/context.ts`. */
  readonly context: URL;
}

/** Finds the project that a test belongs to. @param module `import.meta.url` of a module of `test/generated/` */
export function testedProject(module: string): TestedProject {
  const extension = extname(new URL(module).pathname);
  return {
    folder: pathToFileURL(`${projectRootOf(module)}/`),
    entry: [
      fileURLToPath(new URL(`serve-tested${extname(import.meta.url)}`, import.meta.url)),
      module,
    ],
    context: new URL(`../../src/context${extension}`, module),
  };
}

/*
 * The types of the manifest's contents, as the compiler wrote them to the JSON files of `contracts/`. They do not come
 * from the server's own tables, so that a wrong table fails its test.
 */

export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

/** How the lists of items are served. */
export interface ListSettings {
  /** The number of items on a page; absent if all are on one page. */
  readonly pageSize?: number;
  /** The caching hints of lists; absent if there are none. */
  readonly cache?: CacheContract;
}

/** Caching hints. By default, answers are never fresh and are private. */
export interface CacheContract {
  /** How long an answer is fresh, in milliseconds. */
  readonly ttlMs?: number;
  /** Whether one caller's answer may be given to others. */
  readonly cacheScope?: "public" | "private";
}

export interface ItemContract {
  readonly name: string;
  /** Whether the item is on at the start; absent if it cannot be switched. */
  readonly enabled?: boolean;
}

export interface ToolsContract {
  readonly settings: ListSettings;
  /** The items of `tools/list`, including those that are off at the start. */
  readonly list: readonly JsonObject[];
  readonly tools: readonly ToolContract[];
  /** The listed tools, if clients search for the others. */
  readonly exposure?: ExposureContract;
  /** Whether two tools list and read the resources. */
  readonly resourceTools?: true;
  /** The upstreams whose callers link accounts by two tools; absent if there are none. */
  readonly accounts?: readonly string[];
}

export interface ExposureContract {
  /** The names of the tools that are listed beside those that find and call all others. */
  readonly listed: readonly string[];
}

export interface ToolContract extends ItemContract {
  /** Other names of the tool, which are not listed. */
  readonly aliases?: readonly string[];
  /** The answer of the tool until its handler is written; absent if the manifest has its body. */
  readonly stub?: string;
  /** Whether the manifest has the answer. */
  readonly fixed?: true;
  /** The usual answer of a stub in mock mode. */
  readonly mock?: JsonObject;
  /** The schema that arguments must fit, if it differs from the listed one. */
  readonly inputSchema?: JsonObject;
  /** The question that the user must answer with yes before a call runs; absent if nobody is asked. */
  readonly confirm?: ConfirmContract;
  readonly accepted: readonly AcceptedCall[];
  readonly refused: readonly BreakingValue[];
  /** Wrong results; only for tools with an output schema. */
  readonly output?: SchemaValues;
  readonly examples: readonly ExampleContract[];
  /** Constraints of the schemas for which no value was found that violates only them. */
  readonly untested?: readonly string[];
  /** Arguments that exceed the manifest's `limits`. */
  readonly tooMuch?: readonly JsonObject[];
}

/** A call, and the question that it asks. */
export interface ConfirmContract {
  readonly arguments: JsonObject;
  /** The text of the question; absent if the arguments are shown in another way than they are written. */
  readonly message?: string;
}

/** Values that a schema allows, and values that it refuses. */
export interface SchemaValues {
  readonly accepted: readonly Json[];
  readonly refused: readonly BreakingValue[];
}

export interface AcceptedCall {
  readonly arguments: JsonObject;
  /** The arguments that the handler gets, if defaults of the schema change them. */
  readonly received?: JsonObject;
  /** The fixed answer of a tool without a handler. */
  readonly answer?: JsonObject;
  /** The answer of a stub to this call in mock mode, if it is not the usual one. */
  readonly mock?: JsonObject;
}

/** A value that violates exactly one constraint of a schema. */
export interface BreakingValue {
  readonly value: Json;
  /** The message about the value: in the answer for arguments, in the log for a result. */
  readonly says?: string;
  /** The keyword that the finding names; only of shared schemas, whose functions say all of a finding. */
  readonly keyword?: string;
  /** The JSON pointer of the constraint in the schema, if no text of the message can be expected. */
  readonly breaks?: string;
}

export interface ExampleContract {
  readonly name: string;
  readonly arguments: JsonObject;
  /** The parts of the answer that are in the example. */
  readonly answer: JsonObject;
  /** Rules for the values of the answer that differ from call to call. */
  readonly matches?: readonly ValueMatcher[];
  /** True if a stub answers with this error in mock mode. */
  readonly mocked?: true;
  /** The reason why no test sends it. */
  readonly whyNotSent?: string;
  /** The reason why no test calls the handler. The example is then only checked against the schemas. */
  readonly whyNotCalled?: string;
}

/** What tests expect of the server, as the manifest describes it. */
export interface ServerContract {
  /** The project whose contract it is; not in the file. */
  readonly project: TestedProject;
  /** By name, what the files of the other contracts have in common. */
  readonly contracts: { readonly [Name in Exclude<keyof Contracts, "server">]?: object };
  /** Whether callers over the network need a token. */
  readonly needsToken?: true;
  /** The name and the version. The version is absent if it is in the project's `package.json`. */
  readonly info: JsonObject;
  /** The instructions for models that use the server. */
  readonly instructions?: string;
  /** Whether clients of the older eras are served. */
  readonly protocol: { readonly legacy: "serve" | "reject" };
  /** The settings of the transports. */
  readonly transports: readonly JsonObject[];
  /** The environment variables. */
  readonly env: readonly JsonObject[];
  /** The capabilities for clients that can get notifications of changes. */
  readonly capabilities: JsonObject;
  /** How lists are served. */
  readonly settings: ListSettings;
  /** Time limits in milliseconds of the items that have their own, by list and name. */
  readonly timeouts?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** OAuth scopes that items need of callers over the network, by list and name. */
  readonly scopes?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** The groups of items, by list and name. */
  readonly groups?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** The variables and scopes by which operators and callers get a part of the items. */
  readonly restrict?: RestrictDefinition;
  /** The limits that differ from the defaults. */
  readonly limits?: JsonObject;
  /** Values for the required variables. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The required variables with private keys, of which tests make new ones. */
  readonly privateKeys?: readonly string[];
  /** The methods that list items, with the number of their items. */
  readonly lists: readonly ListContract[];
  /** A request for an item that needs scopes. It is refused without a token. */
  readonly guarded?: {
    readonly method: string;
    readonly params: JsonObject;
    /** Only the code of the project decides whether it is refused. */
    readonly mayBeOpen?: boolean;
  };
}

/** A list method, with the member of its results that has the items, and their number on the first page. */
export interface ListContract {
  /** The method that lists items. */
  readonly method: "tools/list" | "resources/list" | "resources/templates/list" | "prompts/list";
  /** The member of its results that has the items. */
  readonly key: string;
  /** How many items the first page has. */
  readonly length: number;
  /** Whether code of the project adds items. */
  readonly isOpen?: boolean;
}

/** The contracts by the names of their files. */
export interface Contracts extends StandInContracts {
  readonly server: ServerContract;
  readonly tools: ToolsContract;
  readonly prompts: PromptsContract;
  readonly questions: QuestionsContract;
  readonly resources: ResourcesContract;
  readonly schemas: SchemasContract;
}

/** The members of an item in a contract that have its definition for clients. */
const LISTS = { prompts: "list", resources: "list", templates: "templateList", tools: "list" };

/** Reads a contract of a project: its index, and the file of each item in the index. */
export async function readContract<Name extends keyof Contracts>(
  name: Name,
  project: TestedProject,
): Promise<Contracts[Name] & { readonly project: TestedProject }> {
  const contract = await joinContract(name, async (file) => {
    const source = new URL(`test/generated/contracts/${file}.json`, project.folder);
    return JSON.parse(await readFile(source, "utf8")) as JsonObject;
  });
  return { ...contract, project };
}

/** The members of `server.json` that servers seldom have otherwise. */
const USUAL: JsonObject = { protocol: { legacy: "serve" }, env: [] };

/**
 * Joins the files of a contract. `server.json` has the contract of the server, and what the files of the others have in
 * common. What is as usual is left out of it.
 * @param read Reads a file of the folder `contracts`, by its name without extension.
 */
export async function joinContract<Name extends keyof Contracts>(
  name: Name,
  read: (file: string) => JsonObject | Promise<JsonObject>,
): Promise<Contracts[Name]> {
  const server = await read("server");
  const indexes = server["contracts"] as Readonly<Record<string, JsonObject>>;
  const { settings = {} } = server;
  const index = name === "server" ? { ...USUAL, ...withLengths(server) } : (indexes[name] ?? {});
  const { files = {}, definitions, entries, ...contract }: JsonObject = { settings, ...index };
  const named = typeof definitions === "string" ? await read(definitions) : {};
  for (const [kind, names] of Object.entries(files as Record<string, string[]>)) {
    const items = (await Promise.all(names.map(read))).map((item) =>
      withWholeValues(withDefinitions(item, named)),
    );
    contract[kind] = items;
    const list = (LISTS as Readonly<Record<string, string>>)[kind];
    if (list !== undefined) contract[list] = items.map(({ definition = null }) => definition);
  }
  if (typeof entries === "string") {
    contract[entries] = Object.entries(await read(entries)).map(([name, entry]) =>
      withWholeValues({ name, ...(entry as JsonObject) }),
    );
  }
  // The files are generated with the types of this version, and JSON has no types.
  return contract as unknown as Contracts[Name];
}

/** Where `server.json` names the files of the items of a list: the contract, and their kind there. */
const FILES_OF_LISTS: Readonly<Record<string, readonly [contract: string, kind: string]>> = {
  tools: ["tools", "tools"],
  resources: ["resources", "resources"],
  resourceTemplates: ["resources", "templates"],
  prompts: ["prompts", "prompts"],
};

/**
 * Fills in the length of lists that have all items on their first page. The file leaves it out, since two branches that
 * add an item would both write the same number, and the sum would be wrong.
 */
function withLengths(server: JsonObject): JsonObject {
  const contracts = server["contracts"] as Readonly<Record<string, { files?: JsonObject }>>;
  const lists = (server["lists"] as JsonObject[]).map((list) => {
    const [contract, kind] = FILES_OF_LISTS[String(list["key"])] ?? ["", ""];
    const names = contracts[contract]?.files?.[kind] ?? [];
    return { length: (names as readonly string[]).length, ...list };
  });
  return { ...server, lists };
}

/** The information about the server that clients get. */
export async function expectedInfo({
  info,
  project,
}: Pick<ServerContract, "info" | "project">): Promise<JsonObject> {
  if (info["version"] !== undefined) return info;
  const source = new URL("package.json", project.folder);
  const { version } = JSON.parse(await readFile(source, "utf8")) as { version: string };
  return { ...info, version };
}

/** The runtime's own variables, which are not passed to the servers of tests. */
const runtimeVariables = [
  ...["HOST", "LOG_LEVEL", "MCP_GROUPS", "MCP_READ_ONLY", "PORT", "WEB_CONCURRENCY"],
];

/**
 * Returns the environment for a test's server: that of this process, with made-up values for required variables. The
 * developer's values of the manifest's variables are removed, since a test must neither use a real account nor
 * depend on the machine.
 */
export function serverEnvironment(
  {
    env,
    environment,
    privateKeys = [],
    restrict = {},
  }: Pick<ServerContract, "env" | "environment" | "privateKeys" | "restrict">,
  own: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const { groups, readOnly } = restrict;
  const others = [...env.map(({ name }) => name), groups?.env, readOnly?.env];
  const removed = new Set<Json | undefined>([...runtimeVariables, ...others]);
  const inherited = Object.entries(own).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !removed.has(entry[0]),
  );
  return { ...Object.fromEntries(inherited), ...environment, ...newKeys(privateKeys) };
}

/** A new private key for each of the variables. */
export function newKeys(variables: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    variables.map((name) => {
      const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      return [name, JSON.stringify(privateKey.export({ format: "jwk" }))];
    }),
  );
}
