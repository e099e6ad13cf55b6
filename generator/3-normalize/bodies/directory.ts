import type { DirectoryBodyModel } from "../../model/bodies.js";
import type { ManifestDirectoryBody } from "../../model/manifest.js";
import { pickDefined } from "../pick.js";

/** The folder that a template serves. */
export function normalizeDirectory({
  root,
  hidden = false,
  watch = false,
  ...settings
}: ManifestDirectoryBody): DirectoryBodyModel {
  return { kind: "directory", root, hidden, ...pickDefined(settings, ["maxBytes"]), watch };
}
