import type { Diagnostic } from "../model/diagnostic.js";
import type { LoadedManifest } from "../model/loaded-manifest.js";

/** Finds mistakes across fields. It skips values of the wrong type, because `checkStructure` reports them. */
export type Rule = (manifest: LoadedManifest) => Diagnostic[];
