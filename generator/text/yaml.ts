import { createRequire } from "node:module";
import type * as Yaml from "yaml";

let library: typeof Yaml | undefined;

/**
 * The YAML library, loaded when it is first needed: what most manifests are made of is read without
 * it. A packed mcpwright has it as a file of its own: `packaging/bundle.ts` puts that in place of this.
 */
export function yaml(): typeof Yaml {
  library ??= createRequire(import.meta.url)("yaml") as typeof Yaml;
  return library;
}
