import { readFile } from "node:fs/promises";
import { runInThisContext } from "node:vm";
import { packageRoot } from "../../text/package-root.js";

/**
 * A template of `templates/project/` as the runtime of Handlebars takes it. The bundle has another module in the place of
 * this one, which `packaging/precompiled-templates.ts` makes of the same `templateCode`.
 *
 * @param helpers names of all helpers that the template may use
 */
export async function precompiledTemplate(
  name: string,
  helpers: readonly string[],
): Promise<TemplateSpecification> {
  return runInThisContext(`(${await templateCode(name, helpers)})`) as TemplateSpecification;
}

/** The JavaScript expression to which Handlebars compiles a template. */
export async function templateCode(name: string, helpers: readonly string[]): Promise<string> {
  const [{ default: handlebars }, source] = await Promise.all([
    import("handlebars"),
    readFile(new URL(`templates/project/${name}.hbs`, packageRoot), "utf8"),
  ]);
  const code: unknown = handlebars.precompile(source, {
    strict: true,
    noEscape: true,
    knownHelpersOnly: true,
    knownHelpers: Object.fromEntries(helpers.map((helper) => [helper, true])),
  });
  return String(code);
}
