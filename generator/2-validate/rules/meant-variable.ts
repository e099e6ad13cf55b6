import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { has, mappingIn, rootOf } from "../manifest-view.js";

/** How variables are written elsewhere: `$NAME`, `${NAME}`, `{{env.NAME}}`. */
const OTHER_NOTATION = /^(?:\$(?:\{(?:env[.:])?)?|\{\{\s*(?:process\.)?env[.:])?(\w+)\s*\}{0,2}$/;

/** The variable of the manifest that a text was meant to read, as a part of a diagnostic; empty for any other text. */
export function meantVariable(manifest: LoadedManifest, text: string): { variable?: string } {
  const variables = mappingIn(rootOf(manifest), "env")?.value ?? {};
  const name = OTHER_NOTATION.exec(text)?.[1];
  return name !== undefined && has(variables, name) ? { variable: name } : {};
}
