/** The page for people: as the transport `http` shows it to browsers, and as a file for any web host. */
import type { ServedPage } from "./http/definition.js";
import { createPage } from "./page/page.js";

export { writePage } from "./page/write-page.js";

/** The settings of the page for people. */
export interface PageSettings {
  /** Whether it is shown where other machines can reach the server, too. By default, it is not. */
  readonly public?: boolean;
}

/** Shows browsers a page at the path of the transport `http`, as in `http({ page: page() })`. People read and try there what the server offers. */
export function page(settings: PageSettings = {}): ServedPage {
  const loadPage = () => import("./page/page-document.js");
  return { public: settings.public ?? false, part: () => ({ createPage, loadPage }) };
}
