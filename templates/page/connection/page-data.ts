import type { Catalogue } from "./catalogue.js";

/** The JSON data in the HTML document; empty if the page requests everything from its server. */
export interface PageData {
  /** The catalogue of a static page, which sends no requests. */
  readonly catalogue?: StaticCatalogue;
  /** In a preview, the URL that reports changes of the manifest. */
  readonly preview?: string;
}

/** The lists of a static page, with skills as `skills/list` has them. */
export interface StaticCatalogue extends Omit<Catalogue, "skills"> {
  readonly skills?: readonly unknown[];
}
