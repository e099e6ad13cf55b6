import type { HelperDeclareSpec, compile } from "handlebars";
import { readFile } from "node:fs/promises";
import { packageRoot } from "../../text/package-root.js";

type CompileOptions = NonNullable<Parameters<typeof compile>[1]>;
export type TemplateHelpers = HelperDeclareSpec;

/** The file of a template. */
export function templateFile(name: string): URL {
  return new URL(`templates/project/${name}.hbs`, packageRoot);
}

/** Every value must go through one of the helpers, and be there. */
export function templateOptions(helpers: TemplateHelpers): CompileOptions {
  return {
    strict: true,
    noEscape: true,
    knownHelpersOnly: true,
    knownHelpers: Object.fromEntries(Object.keys(helpers).map((helper) => [helper, true])),
  };
}

/**
 * Compiles a file of `templates/project/`. A packed mcpwright has them compiled: `packaging/bundle.ts`
 * puts that in place of this file.
 */
export async function compileTemplate(
  name: string,
  helpers: TemplateHelpers,
): Promise<(view: object) => string> {
  const [{ default: handlebars }, source] = await Promise.all([
    import("handlebars"),
    readFile(templateFile(name), "utf8"),
  ]);
  const engine = handlebars.create();
  engine.registerHelper(helpers);
  return engine.compile(source, templateOptions(helpers));
}
