import { transform, type Plugin } from "esbuild";
import { templateCode } from "../5-emit/project/precompiled-template.js";
import { TEMPLATE_NAMES, templateHelpers } from "../5-emit/project/templates.js";

/**
 * Puts the templates into the bundle as code, in the place of the module that compiles them. No run then needs the
 * compiler of Handlebars.
 */
export const precompiledTemplates: Plugin = {
  name: "precompiled-templates",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]5-emit[\\/]project[\\/]precompiled-template\.ts$/ }, async () => ({
      contents: await precompiledModule(),
    }));
  },
};

/**
 * The module in the bundle. Each template stands in a function of its own, so that V8 compiles those that are used. All
 * names in them are shortened, since nobody reads this code.
 */
async function precompiledModule(): Promise<string> {
  const helpers = Object.keys(templateHelpers);
  const entries = await Promise.all(
    TEMPLATE_NAMES.map(
      async (name) => `${JSON.stringify(name)}: () => (${await templateCode(name, helpers)}),`,
    ),
  );
  const lines = [
    "const templates = {",
    ...entries,
    "};",
    "export const precompiledTemplate = async (name) => templates[name]();",
  ];
  return (await transform(lines.join("\n"), { format: "esm", minify: true })).code;
}
