import type { CacheHint, Resource, ResourceTemplateType } from "@modelcontextprotocol/server";
import type { CompletionSource, ItemHandler, ItemSettings } from "../engine/item.js";
import type { Late } from "../engine/late.js";

declare module "../engine/definition.js" {
  interface ServerDefinition {
    readonly resources: readonly ResourceEntry[];
    readonly resourceTemplates: readonly ResourceTemplateEntry[];
  }
}

/** Settings of what can be read. */
interface ReadSettings extends ItemSettings {
  /** Caching hints that differ from the server's. */
  readonly cache?: CacheHint;
  /** Whether clients may ask to be told of changes. */
  readonly subscribe?: boolean;
  /** What mock mode answers with instead of asking others. */
  readonly mock?: string;
}

/** A resource has a handler, a text, a blob or a file. */
export interface ResourceEntry extends ReadSettings, Partial<ItemHandler> {
  /** The item of `resources/list`, as it goes on the wire. */
  readonly definition: Resource;
  readonly text?: string;
  /** In Base64. */
  readonly blob?: string;
  /** Path from the project's folder. */
  readonly file?: string;
}

/** A compiled URI template; `operator` is RFC 6570's, empty for `{x}`. */
export type UriTemplatePart =
  | { readonly kind: "literal"; readonly text: string }
  | {
      readonly kind: "expression";
      readonly operator: "" | "+" | "/" | "." | "?";
      readonly names: readonly string[];
      readonly explode: boolean;
    };

export interface ResourceTemplateEntry extends ReadSettings, ItemHandler {
  /** The item of `resources/templates/list`, as it goes on the wire. */
  readonly definition: ResourceTemplateType;
  readonly parts: readonly UriTemplatePart[];
  /** Whether the handler gets values of the path that some file systems take for another place. */
  readonly raw?: boolean;
  /** Values offered by `completion/complete`, by variable. */
  readonly complete?: Readonly<Record<string, CompletionSource>>;
  /** Lists the instances that there are. */
  readonly list?: Late<(context: never) => unknown>;
}
