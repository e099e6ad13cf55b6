import { isDeepStrictEqual } from "node:util";
import type { DirectoryBodyModel } from "../model/bodies.js";
import type { ManifestDirectoryBody } from "../model/manifest.js";
import { pickDefined } from "../model/pick.js";
import { defineRule, type ChangePlace } from "../model/semantic-rule.js";
import { placeBelow } from "../model/change-places.js";
import type { SemanticChange } from "../model/plan.js";
import type { BodyDefinition } from "./definition.js";

export const directoryMoved = defineRule({
  id: "directory-moved",
  severity: "warning",
  message: () => "the directory is another folder",
});

export const directoryOpened = defineRule({
  id: "directory-opened",
  severity: "warning",
  message: () => "hidden files of the directory can be read now",
});

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
  rules: [directoryMoved.rule, directoryOpened.rule],
  compare: compareDirectories,
};

function readDirectory({
  root,
  hidden = false,
  watch = false,
  ...settings
}: ManifestDirectoryBody): DirectoryBodyModel {
  return { kind: "directory", root, hidden, ...pickDefined(settings, ["maxBytes"]), watch };
}

function compareDirectories(
  former: ManifestDirectoryBody,
  present: ManifestDirectoryBody,
  place: ChangePlace,
): SemanticChange[] {
  const isMoved = !isDeepStrictEqual(former.root, present.root);
  const isOpened = present.hidden === true && former.hidden !== true;
  return [
    ...(isMoved ? [directoryMoved(placeBelow(place, "root"), {})] : []),
    ...(isOpened ? [directoryOpened(placeBelow(place, "hidden"), {})] : []),
  ];
}
