import type { Manifest } from "../model/manifest.js";
import type { ScaleModel } from "../model/server-model.js";
import { stateToShare } from "../model/shared-state.js";

/** `scale` of the manifest. Without `share`, the processes share all state that it makes sense to share. */
export function normalizeScale(
  scale: NonNullable<Manifest["scale"]>,
  manifest: Manifest,
): ScaleModel {
  const useful = stateToShare(manifest);
  const declared = scale.share ?? useful;
  return { redis: scale.redis, share: useful.filter((state) => declared.includes(state)) };
}
