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

interface ItemContract {
  readonly name: string;
  /** Whether it is there from the start; only of items that can be switched on and off. */
  readonly enabled?: boolean;
}

interface ReadContract extends ItemContract {
  readonly subscribe?: true;
  readonly cache?: CacheContract;
}

/** How much the arguments of a call may be. */
export interface ArgumentLimits {
  readonly depth?: number;
  readonly elements?: number;
}

export interface ToolsContract {
  readonly settings: ListSettings;
  /** Where the manifest sets them. */
  readonly limits?: ArgumentLimits;
  /** The items of `tools/list`, those included that are not there from the start. */
  readonly list: readonly JsonObject[];
  readonly tools: readonly ToolContract[];
}

export interface ToolContract extends ItemContract {
  /** Other names that answer like it, and that no list has. */
  readonly aliases?: readonly string[];
  /** What the tool answers until its handler is written; absent where the manifest holds the answer. */
  readonly stub?: string;
  /** The manifest says that a call changes nothing: its handler may be called for a test. */
  readonly readOnly?: true;
  /** What a stub answers in mock mode, to calls that say nothing else. */
  readonly mock?: JsonObject;
  readonly accepted: readonly AcceptedCall[];
  /** Beside those that `plain-constraints.ts` makes. */
  readonly refused: readonly BreakingValue[];
  /** Only for tools with an output schema. */
  readonly output?: {
    readonly accepted: readonly Json[];
    readonly refused: readonly BreakingValue[];
  };
  readonly examples: readonly ExampleContract[];
  /** Constraints of the schemas for which no value could be built that breaks them alone. */
  readonly untested: readonly string[];
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
  readonly breaks: string;
  readonly value: Json;
  /** What the answer says about arguments, and the log about a result. */
  readonly says?: string;
}

export interface ExampleContract {
  readonly name: string;
  readonly arguments: JsonObject;
  /** The parts of the answer that the example states. */
  readonly answer: JsonObject;
}

export interface ResourcesContract {
  readonly settings: ListSettings;
  /** The items of `resources/list` and `resources/templates/list`. */
  readonly list: readonly JsonObject[];
  readonly templateList: readonly JsonObject[];
  readonly resources: readonly ResourceContract[];
  readonly templates: readonly TemplateContract[];
  /** URIs at which there is nothing. */
  readonly unknown: readonly string[];
}

export interface ResourceContract extends ReadContract {
  readonly uri: string;
  /** The server reads no URI of this length. */
  readonly isTooLong?: true;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
  /** Path of the file that is read at each request, from the project's folder. */
  readonly file?: string;
}

export interface TemplateContract extends ReadContract {
  readonly uriTemplate: string;
  readonly mimeType?: string;
  readonly matching: readonly { readonly uri: string; readonly variables: JsonObject }[];
  /** Whether code lists the instances. */
  readonly lists?: boolean;
  /** URIs that look like the template's and must reach no handler. */
  readonly refused: readonly string[];
  readonly completions: readonly CompletionContract[];
}

export interface PromptsContract {
  readonly settings: ListSettings;
  /** The items of `prompts/list`. */
  readonly list: readonly JsonObject[];
  readonly prompts: readonly PromptContract[];
}

export interface PromptContract extends ItemContract {
  readonly description?: string;
  readonly required: readonly string[];
  readonly cases: readonly {
    readonly arguments: Readonly<Record<string, string>>;
    /** Absent where a handler makes the messages. */
    readonly messages?: readonly JsonObject[];
  }[];
  readonly completions: readonly CompletionContract[];
}

/** What is offered for an argument. */
export type CompletionContract = { readonly argument: string } & (
  | {
      /** The values, while nothing is typed yet. */
      readonly values: readonly string[];
      readonly total: number;
    }
  /** Code finds them, and may know the values of the others. */
  | { readonly given: Readonly<Record<string, string>> }
);

export interface QuestionsContract {
  readonly items: readonly AskingContract[];
}

/** What the handler of an item may ask its client. */
export interface AskingContract {
  readonly kind: "tool" | "resource" | "resourceTemplate" | "prompt";
  readonly name: string;
  /** The item is not there from the start. */
  readonly enabled?: false;
  /** A request that the handler answers. */
  readonly request: { readonly method: string; readonly params: JsonObject };
  readonly questions: readonly QuestionContract[];
  readonly sampling: boolean;
  readonly roots: boolean;
}

export interface QuestionContract {
  readonly key: string;
  /** Values for the placeholders. */
  readonly values: JsonObject;
  /** What the client gets, with these values. */
  readonly params: JsonObject;
  /** Answers to a form, and what of them the handler gets; none for a page. */
  readonly accepted: readonly { readonly content: JsonObject; readonly received: JsonObject }[];
  /** Beside those that `plain-constraints.ts` makes. */
  readonly refused: readonly BreakingValue[];
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
  readonly timeouts: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** OAuth scopes that items need of callers over the network, by list and name. */
  readonly scopes?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** Where items need scopes: a request for one of them, which is refused to whoever does not say who they are. */
  readonly guarded?: {
    readonly method: string;
    readonly params: JsonObject;
    /** Only the code of the project knows whether it is refused. */
    readonly mayBeOpen?: boolean;
  };
  readonly limits?: JsonObject;
  /** Values for the variables that the server cannot start without. */
  readonly environment: Readonly<Record<string, string>>;
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

export interface Contracts {
  readonly prompts: PromptsContract;
  readonly questions: QuestionsContract;
  readonly resources: ResourcesContract;
  readonly server: ServerContract;
  readonly tools: ToolsContract;
}

/**
 * Of each contract, the lists of its index that name the files of items, each with the list of what clients
 * are told of these items.
 */
const ITEM_LISTS: Readonly<Record<keyof Contracts, readonly (readonly [string, string?])[]>> = {
  prompts: [["prompts", "list"]],
  questions: [["items"]],
  resources: [
    ["resources", "list"],
    ["templates", "templateList"],
  ],
  server: [],
  tools: [["tools", "list"]],
};

/** Reads a contract: its index, and a file for each item that the index names. */
export async function readContract<Name extends keyof Contracts>(
  name: Name,
): Promise<Contracts[Name]> {
  const contract = await joinContract(name, async (file) => {
    const source = new URL(`test/generated/contracts/${file}.json`, projectFolder);
    return JSON.parse(await readFile(source, "utf8")) as JsonObject;
  });
  if (name !== "server") return contract;
  const context = new URL("dist/src/context.js", projectFolder);
  return (await withGuard(contract as ServerContract, context)) as Contracts[Name];
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
  const contract = { ...(await read(name)) };
  for (const [list, definitions] of ITEM_LISTS[name]) {
    const items = await Promise.all((contract[list] as string[]).map(read));
    contract[list] = items;
    if (definitions !== undefined) {
      contract[definitions] = items.map(({ definition = null }) => definition);
    }
  }
  return contract as unknown as Contracts[Name];
}

type Guarded = Pick<ServerContract, "guarded">;

const AUTHENTICATE =
  /^export (?:async )?(?:const|let|var|function) authenticate\b|^export (?:(?:const|let|var) )?\{[^}]*\bauthenticate\b/m;

const EXPORT_OF_ALL = /^export \* from ["']([^"']+)["']/gm;

/**
 * A server may ask who calls over the network without scopes in the manifest: where its project says
 * how to find that out.
 * @param context The project's `src/context.ts`, compiled.
 */
export async function withGuard<Contract extends Guarded>(
  contract: Contract,
  context: URL,
): Promise<Contract> {
  if (contract.guarded !== undefined || !(await mayAuthenticate(context))) return contract;
  return { ...contract, guarded: { method: "server/discover", params: {}, mayBeOpen: true } };
}

/** Whether a module may export `authenticate`. It is read and not loaded: the code could do anything. */
async function mayAuthenticate(module: URL, seen = new Set<string>()): Promise<boolean> {
  if (seen.has(module.href)) return false;
  seen.add(module.href);
  const code = await readFile(module, "utf8");
  if (AUTHENTICATE.test(code)) return true;
  for (const [, from = ""] of code.matchAll(EXPORT_OF_ALL)) {
    // What a package exports is not known here.
    if (!/^\.\.?\//.test(from) || (await mayAuthenticate(new URL(from, module), seen))) return true;
  }
  return false;
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
