import type { ScaleDefinition } from "../../templates/runtime/scale/definition.js";
import type { Manifest } from "../model/manifest.js";
import { stateToShare } from "../model/shared-state.js";

/** `scale` of the manifest. Without `share`, the processes share all state that it makes sense to share. */
export function normalizeScale(
  scale: NonNullable<Manifest["scale"]>,
  manifest: Manifest,
): ScaleDefinition {
  const useful = stateToShare(manifest);
  const declared = scale.share ?? useful;
  return { redis: scale.redis, share: useful.filter((state) => declared.includes(state)) };
}
