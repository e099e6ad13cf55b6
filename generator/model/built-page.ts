import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { packageRoot } from "../text/package-root.js";

/** The web pages of generated servers, which the build makes from `templates/page/`. */
export interface BuiltPage {
  /** Its Content-Security-Policy. The document contains the same policy. */
  readonly policy: string;
  /** The document. It has an empty element for the JSON of `PageData`. */
  readonly html: string;
  /** The document of MCP Apps that are made from output schemas. It has an empty element for the JSON of an `AppView`. */
  readonly result: string;
}

/** Where the page is in the package: as JSON, compressed, since it is half a megabyte. */
export const BUILT_PAGE = "dist/generator/bundle/page.json.gz";

/** Reads the page that the build has made. */
export function readBuiltPage(): BuiltPage {
  const json = gunzipSync(readFileSync(new URL(BUILT_PAGE, packageRoot))).toString();
  return JSON.parse(json) as BuiltPage;
}
