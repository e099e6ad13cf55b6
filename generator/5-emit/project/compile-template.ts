import type { create, HelperDeclareSpec, TemplateDelegate } from "handlebars";
import { precompiledTemplate } from "./precompiled-template.js";

/** Makes a template of `templates/project/` ready. Values must not be undefined, and are only printed through helpers. */
export async function compileTemplate(
  name: string,
  helpers: HelperDeclareSpec,
): Promise<TemplateDelegate> {
  const engine = (await loadRuntime()).create();
  engine.registerHelper(helpers);
  return engine.template(await precompiledTemplate(name, Object.keys(helpers)));
}

/** The part of Handlebars that renders templates and does not compile them. Its package has no types for it. */
async function loadRuntime(): Promise<{ readonly create: typeof create }> {
  const loaded: unknown = await import("handlebars/runtime.js");
  return (loaded as { readonly default: { readonly create: typeof create } }).default;
}
