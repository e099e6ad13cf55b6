import { loadManifest } from "../../../1-load/load.js";
import { validateManifest } from "../../../2-validate/validate.js";
import { canonicalManifest } from "../../../3-normalize/canonical.js";
import { normalize } from "../../../3-normalize/normalize.js";
import { validManifest } from "../../../model/loaded-manifest.js";
import { withSelectedOutputs } from "../../../bodies/selecting-tools.js";
import type { CheckedManifest } from "../../../plan.js";

/** A manifest as `plan` takes it. Throws for one with an error. */
export function checkedManifest(yaml: string): CheckedManifest {
  const { manifest: written, diagnostics } = loadManifest("mcp.yaml", Buffer.from(yaml));
  const manifest = written && withSelectedOutputs(written);
  const found = manifest === undefined ? [] : validateManifest(manifest);
  const error = [...diagnostics, ...found].find(({ severity }) => severity === "error");
  if (manifest === undefined || error !== undefined) throw new Error(error?.message);
  return {
    canonical: canonicalManifest(manifest.value),
    model: normalize(validManifest(manifest.value)),
  };
}
