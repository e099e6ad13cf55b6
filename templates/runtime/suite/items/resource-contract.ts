import type { CompletionContract } from "./completions.js";
import type { CacheContract, ItemContract, JsonObject, ListSettings } from "../contract.js";

declare module "../contract.js" {
  interface Contracts {
    readonly resources: ResourcesContract;
  }
}

interface ReadContract extends ItemContract {
  readonly subscribe?: true;
  readonly cache?: CacheContract;
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
