import type { SkillFolder } from "../../skills/definition.js";
import type { CompletionContract } from "./completions.js";
import type { CacheContract, ItemContract, JsonObject, ListSettings } from "../contract.js";

interface ReadContract extends ItemContract {
  readonly subscribe?: true;
  readonly cache?: CacheContract;
  /** The text that a stub answers with in mock mode. */
  readonly mockText?: string;
}

export interface ResourcesContract {
  readonly settings: ListSettings;
  /** The items of `resources/list` and `resources/templates/list`. */
  readonly list: readonly JsonObject[];
  readonly templateList: readonly JsonObject[];
  readonly resources: readonly ResourceContract[];
  readonly templates: readonly TemplateContract[];
  /** URIs without a resource. */
  readonly unknown: readonly string[];
  /** The folders of skills, whose texts are in `resources/list` besides. */
  readonly skills?: readonly SkillFolder[];
}

export interface ResourceContract extends ReadContract {
  readonly uri: string;
  /** A length of URIs that the server refuses. */
  readonly isTooLong?: true;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
  /** The path of the file that each request reads, relative to the project's folder. */
  readonly file?: string;
  /** What clients need to show it as a page of an MCP App. */
  readonly ui?: unknown;
}

export interface TemplateContract extends ReadContract {
  readonly uriTemplate: string;
  readonly mimeType?: string;
  readonly matching: readonly { readonly uri: string; readonly variables: JsonObject }[];
  /** Whether a handler lists the instances. */
  readonly lists?: boolean;
  /** URIs similar to the template's that must not be passed to its handler. */
  readonly refused: readonly string[];
  readonly completions: readonly CompletionContract[];
}
