import type { Place } from "../../model/place.js";
import { controlCharacter } from "../../model/catalogue/rules-text.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { whereInSource } from "../source-text.js";
import { codePoints, subjectOf } from "../wording.js";

/** A text of the manifest that has a format: a value, or a key. */
export interface TextSubject {
  readonly manifest: LoadedManifest;
  readonly path: ManifestPath;
  readonly target: "key" | "value";
  readonly text: string;
}

/** Returns the first problem of a text. */
export type FormatCheck = (subject: TextSubject) => Diagnostic | undefined;

export function placeOf({ manifest, path, target }: TextSubject): Place {
  return manifest.locate(path, target);
}

/** Control characters: C0, C1 and DEL. */
export const CONTROL_CHARACTER = /[\u0000-\u001f\u007f-\u009f]/;

/** Reports the first control character of a text. */
export function controlCharacterProblem(subject: TextSubject): Diagnostic | undefined {
  const found = CONTROL_CHARACTER.exec(subject.text)?.[0];
  if (found === undefined) return undefined;
  const place = placeOf(subject);
  const where = whereInSource(subject.manifest, place, found);
  return controlCharacter(place, {
    what: subjectOf(subject.path),
    characters: codePoints([found]),
    where,
  });
}
