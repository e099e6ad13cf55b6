import { readPackaged } from "../text/package-root.js";

/**
 * The page of a code on the site that `npm run site` makes; undefined as long as the site has no address.
 * @param code of a diagnostic or of a kind of changes
 * @param homepage where the site is, as package.json says
 */
export function siteAddress(code: string, homepage = packageHomepage()): string | undefined {
  if (homepage === undefined) return undefined;
  return `${homepage.replace(/\/$/, "")}/${explanationPath(code)}`;
}

/** The path of the page of a code, from the beginning of the site. */
export function explanationPath(code: string): string {
  return `${/^MW\d+$/.test(code) ? "diagnostics" : "changes"}/${code}.html`;
}

function packageHomepage(): string | undefined {
  const { homepage } = JSON.parse(readPackaged("package.json")) as { readonly homepage?: string };
  return homepage;
}
