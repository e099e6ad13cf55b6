import type { CacheHint, Resource, ResourceTemplateType } from "@modelcontextprotocol/server";
import type { CompletionSource, ItemHandler, ItemSettings } from "../engine/item.js";
import type { Late } from "../engine/awaitable.js";
import type { WatchedDirectory } from "../directories/watching.js";

/** Settings of resources and templates. */
interface ReadSettings extends ItemSettings {
  /** Caching hints that differ from the server's. */
  readonly cache?: CacheHint;
  /** Whether clients may subscribe to changes. */
  readonly subscribe?: boolean;
  /** The answer in mock mode, if the handler is not written yet or would use other services. */
  readonly mock?: string;
}

/** A resource. It has a handler, a text, a blob or a file. */
export interface ResourceEntry extends ReadSettings, Partial<ItemHandler> {
  /** The item of `resources/list`, as clients get it. */
  readonly definition: Resource;
  /** The contents, as text. */
  readonly text?: string;
  /** Bytes in base64. */
  readonly blob?: string;
  /** The path of a file, relative to the project's folder. */
  readonly file?: string;
}

/** A compiled URI template. `operator` is that of RFC 6570; empty for `{x}`. */
export type UriTemplatePart =
  | { readonly kind: "literal"; readonly text: string }
  | {
      readonly kind: "expression";
      readonly operator: "" | "+" | "/" | "." | "?";
      readonly names: readonly string[];
      readonly explode: boolean;
    };

/** A resource template, whose handler reads its instances. */
export interface ResourceTemplateEntry extends ReadSettings, ItemHandler {
  /** The item of `resources/templates/list`, as clients get it. */
  readonly definition: ResourceTemplateType;
  /** The parts of its URI template. */
  readonly parts: readonly UriTemplatePart[];
  /** Whether the handler gets values of the path that some file systems resolve to another file. */
  readonly raw?: boolean;
  /** The suggestions of `completion/complete`, by variable. */
  readonly complete?: Readonly<Record<string, CompletionSource>>;
  /** Lists the instances. */
  readonly list?: Late<(context: never) => unknown>;
  /** The directory of whose changes clients are notified. */
  readonly watch?: WatchedDirectory;
}
