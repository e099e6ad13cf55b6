import { readFile } from "node:fs/promises";

/** The project's own folder. Tests run from `dist/`, where the compiler copies no JSON to. */
export const projectFolder = new URL("../../../../", import.meta.url);

/**
 * What the manifest promises, as the compiler wrote it into the JSON files of `contracts/`. It
 * does not come from the tables that the server runs on, so that a wrong table fails its test.
 */

export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

/** How the lists of items are served. */
export interface ListSettings {
  /** Items on a page; everything is on one where it is absent. */
  readonly pageSize?: number;
  readonly cache?: CacheContract;
}

/** Caching hints; what is absent is the protocol's: nothing is fresh, and answers are private. */
export interface CacheContract {
  readonly ttlMs?: number;
  readonly cacheScope?: "public" | "private";
}

export interface ItemContract {
  readonly name: string;
  /** Whether it is there from the start; only of items that can be switched on and off. */
  readonly enabled?: boolean;
}

export interface ToolsContract {
  readonly settings: ListSettings;
  /** The items of `tools/list`, those included that are not there from the start. */
  readonly list: readonly JsonObject[];
  readonly tools: readonly ToolContract[];
}

export interface ToolContract extends ItemContract {
  /** Other names that answer like it, and that no list has. */
  readonly aliases?: readonly string[];
  /** What the tool answers until its handler is written; absent where the manifest says what it does. */
  readonly stub?: string;
  /** The manifest holds the answer. */
  readonly fixed?: true;
  /** What a stub answers in mock mode, to calls that say nothing else. */
  readonly mock?: JsonObject;
  /** What arguments are checked against, where clients are shown another schema. */
  readonly inputSchema?: JsonObject;
  readonly accepted: readonly AcceptedCall[];
  readonly refused: readonly BreakingValue[];
  /** Arguments that are more than the manifest's `limits` let the server look at. */
  readonly tooMuch?: readonly JsonObject[];
  /** Only for tools with an output schema. */
  readonly output?: OutputContract;
  readonly examples: readonly ExampleContract[];
  /** Constraints of the schemas for which no value could be built that breaks them alone. */
  readonly untested?: readonly string[];
}

export interface OutputContract {
  readonly accepted: readonly Json[];
  readonly refused: readonly BreakingValue[];
}

export interface AcceptedCall {
  readonly arguments: JsonObject;
  /** The arguments as the handler gets them, where the schema's defaults change them. */
  readonly received?: JsonObject;
  /** The fixed answer of a tool without a handler. */
  readonly answer?: JsonObject;
  /** What a stub answers in mock mode, where another example than the usual one shows this call. */
  readonly mock?: JsonObject;
}

/** A value that breaks one constraint of a schema and no other. */
export interface BreakingValue {
  readonly value: Json;
  /** What the answer says about arguments, and the log about a result. */
  readonly says?: string;
  /** JSON pointer of the constraint in the schema, where nothing of what is said can be looked for. */
  readonly breaks?: string;
}

export interface ExampleContract {
  readonly name: string;
  readonly arguments: JsonObject;
  /** The parts of the answer that the example states. */
  readonly answer: JsonObject;
  /** Why no test sends it. */
  readonly unsent?: string;
  /** Why no test calls the handler: then it is held against the schemas. */
  readonly uncalled?: string;
}

export interface ServerContract {
  /** Without a version where the project's `package.json` has it. */
  readonly info: JsonObject;
  readonly instructions?: string;
  readonly protocol: { readonly legacy: "serve" | "reject" };
  readonly transports: readonly JsonObject[];
  readonly env: readonly JsonObject[];
  /** What it says that it can do, to clients that can be told of changes. */
  readonly capabilities: JsonObject;
  readonly settings: ListSettings;
  /** Time limits in milliseconds of the items that have their own, by list and name. */
  readonly timeouts?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** OAuth scopes that items need of callers over the network, by list and name. */
  readonly scopes?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  readonly limits?: JsonObject;
  /** What Node must be given before the built server, so that no limit on traffic meets the tests. */
  readonly nodeArguments?: readonly string[];
  /** Values for the variables that the server cannot start without. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly lists: readonly ListContract[];
}

/** A list method that the server offers, and how many items its first page has under which key. */
export interface ListContract {
  readonly method: "tools/list" | "resources/list" | "resources/templates/list" | "prompts/list";
  readonly key: string;
  readonly length: number;
  /** Whether code adds to it. */
  readonly isOpen?: boolean;
}

/** The contracts by the names of their files; suites that only some projects have add theirs. */
export interface Contracts {
  readonly server: ServerContract;
  readonly tools: ToolsContract;
}

/** Where a contract has what clients are told of its items. */
const LISTS = { prompts: "list", resources: "list", templates: "templateList", tools: "list" };

/** Reads a contract: its index, and a file for each item that the index names. */
export async function readContract<Name extends keyof Contracts>(
  name: Name,
): Promise<Contracts[Name]> {
  return joinContract(name, async (file) => {
    const source = new URL(`test/generated/contracts/${file}.json`, projectFolder);
    return JSON.parse(await readFile(source, "utf8")) as JsonObject;
  });
}

/**
 * Puts a contract together.
 *
 * @param read reads a file of the folder of contracts, by its name without extension
 */
export async function joinContract<Name extends keyof Contracts>(
  name: Name,
  read: (file: string) => JsonObject | Promise<JsonObject>,
): Promise<Contracts[Name]> {
  const { files = {}, ...contract } = await read(name);
  for (const [kind, names] of Object.entries(files as Record<string, string[]>)) {
    const items = await Promise.all(names.map(read));
    contract[kind] = items;
    const list = (LISTS as Readonly<Record<string, string>>)[kind];
    if (list !== undefined) contract[list] = items.map(({ definition = null }) => definition);
  }
  return contract as unknown as Contracts[Name];
}

/** What the server says of itself. */
export async function expectedInfo({ info }: Pick<ServerContract, "info">): Promise<JsonObject> {
  if (info["version"] !== undefined) return info;
  const source = new URL("package.json", projectFolder);
  const { version } = JSON.parse(await readFile(source, "utf8")) as { version: string };
  return { ...info, version };
}

/** The runtime's own variables: a test's server listens and logs as its test expects. */
const runtimeVariables = ["HOST", "LOG_LEVEL", "PORT"];

/**
 * What a test's server is started with: this process's environment with made-up values for required
 * variables, and none of the values that the developer has set for the manifest's variables. A test
 * must neither use a real account nor pass on one machine only.
 */
export function serverEnvironment(
  { env, environment }: Pick<ServerContract, "env" | "environment">,
  own: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const removed = new Set([...runtimeVariables, ...env.map(({ name }) => name)]);
  const inherited = Object.entries(own).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !removed.has(entry[0]),
  );
  return { ...Object.fromEntries(inherited), ...environment };
}
