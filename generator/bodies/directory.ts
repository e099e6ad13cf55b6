import type { DirectoryBodyModel } from "../model/bodies.js";
import type { ManifestDirectoryBody } from "../model/manifest.js";
import { pickDefined } from "../model/pick.js";
import type { BodyDefinition } from "./definition.js";

/** `directory`: the files of a folder. */
export const directory: BodyDefinition<DirectoryBodyModel, ManifestDirectoryBody> = {
  words: "a directory of the manifest",
  isSource: true,
  watched: "is a folder that is watched",
  needs: "files",
  folder: "root",
  starter: "a directory of files",
  read: readDirectory,
  instances: (given) => (given.list === false ? undefined : readDirectory(given)),
};

function readDirectory({
  root,
  hidden = false,
  watch = false,
  ...settings
}: ManifestDirectoryBody): DirectoryBodyModel {
  return { kind: "directory", root, hidden, ...pickDefined(settings, ["maxBytes"]), watch };
}
