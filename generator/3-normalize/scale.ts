import type { Manifest } from "../model/manifest.js";
import type { ScaleModel } from "../model/server-model.js";
import { stateToShare } from "../model/shared-state.js";

/** `scale` of the manifest. Without `share`, all is shared that the manifest has a use for. */
export function normalizeScale(
  scale: NonNullable<Manifest["scale"]>,
  manifest: Manifest,
): ScaleModel {
  const used = stateToShare(manifest);
  const wanted = scale.share ?? used;
  return { redis: scale.redis, share: used.filter((what) => wanted.includes(what)) };
}
