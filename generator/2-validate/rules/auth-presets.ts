import { expandedIssuer, PRESET_KEYS, presetOf } from "../../model/auth-presets.js";
import { issuerLacks, presetIgnores } from "../../model/catalogue/auth.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import type { ManifestJwtIssuer } from "../../model/manifest.js";
import { has, textIn, type Mapping } from "../manifest-view.js";

/** Checks that an issuer is named, or that its preset has all that it is made of and nothing else. */
export function presetProblems(manifest: LoadedManifest, { value, path }: Mapping): Diagnostic[] {
  const name = textIn(value, "preset");
  const preset = name === undefined ? undefined : presetOf(name);
  const lacks = (what: string, key: string): Diagnostic =>
    issuerLacks(manifest.locate(path, "value"), { what, key });
  // The manifest's schema reports an unknown preset.
  if (name !== undefined && preset === undefined) return [];
  const what = name === undefined ? "an issuer of JWTs without a preset" : `the preset ${name}`;
  const needs: readonly string[] = preset?.needs ?? ["issuer"];
  const read: readonly string[] = [...needs, ...Object.keys(preset?.defaults ?? {})];
  return [
    ...needs.filter((key) => !has(value, key)).map((key) => lacks(what, key)),
    ...PRESET_KEYS.filter((key) => has(value, key) && !read.includes(key)).map((key) =>
      presetIgnores(manifest.locate([...path, key], "key"), { what, key }),
    ),
  ];
}

/** The issuer whose tokens are meant, for comparison with others. */
export function issuerOf({ value }: Mapping): string | undefined {
  return JSON.stringify(expandedIssuer(value as ManifestJwtIssuer).issuer);
}
