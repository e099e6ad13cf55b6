import type { HelperDeclareSpec } from "handlebars";
import { readFile } from "node:fs/promises";
import { packageRoot } from "../../text/package-root.js";

/** Compiles a template of `templates/project/`. Values must not be undefined, and are only printed through helpers. */
export async function compileTemplate(
  name: string,
  helpers: HelperDeclareSpec,
): Promise<(view: object) => string> {
  const [{ default: handlebars }, source] = await Promise.all([
    import("handlebars"),
    readFile(new URL(`templates/project/${name}.hbs`, packageRoot), "utf8"),
  ]);
  const engine = handlebars.create();
  engine.registerHelper(helpers);
  const names = Object.keys(helpers);
  return engine.compile(source, {
    strict: true,
    noEscape: true,
    knownHelpersOnly: true,
    knownHelpers: Object.fromEntries(names.map((helper) => [helper, true])),
  });
}
