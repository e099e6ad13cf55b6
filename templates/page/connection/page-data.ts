import type { Catalogue } from "./catalogue.js";

/** What a document has in itself, as JSON; nothing where it only asks its server. */
export interface PageData {
  /** The catalogue of a static page, which calls nothing. */
  readonly catalogue?: Catalogue;
  /** Where a preview learns what has changed in its manifest. */
  readonly preview?: string;
}
