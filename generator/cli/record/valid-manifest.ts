import type { ManifestOnDisk } from "../compile-manifest.js";

/** A manifest that was compiled without errors. */
export type ValidManifest = ManifestOnDisk & {
  readonly manifest: NonNullable<ManifestOnDisk["manifest"]>;
  readonly model: NonNullable<ManifestOnDisk["model"]>;
};
