import {
  bidirectionalText,
  controlCharacter,
  hiddenText,
  nulCharacter,
  exposedSecret,
  unpairedSurrogate,
} from "../../model/catalogue/rules-text.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { JsonValue } from "../../model/json.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { CONTROL_CHARACTER } from "../formats/subject.js";
import { whereInSource } from "../source-text.js";
import { codePoints, subjectOf } from "../wording.js";
import { holdsKnownSecret } from "./secrets.js";

const BIDIRECTIONAL = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Characters that are not shown. Joiners count after Latin text only, since Persian, the scripts
 * of India and emoji need them, and variation selectors where several follow each other.
 */
const HIDDEN =
  /[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]|(?<![^\u0000-\u00ff])[\u200c\u200d]|[\ufe00-\ufe0f]{2,}/gu;

const SURROGATE = /\p{Cs}/u;

/** Texts of these characters only, which most are, have no problem. */
const PLAIN = /^[\n\x20-\x7e]*$/;

/** True if a text has a character that one of the rules below reports. */
function isSuspicious(text: string): boolean {
  if (PLAIN.test(text)) return false;
  const kinds = [CONTROL_CHARACTER, SURROGATE, BIDIRECTIONAL, HIDDEN];
  return kinds.some((kind) => text.search(kind) >= 0);
}

/** Checks the characters of all texts and keys of the manifest. */
export function checkText(manifest: LoadedManifest): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const path: (string | number)[] = [];
  const visit = (value: JsonValue): void => {
    if (typeof value === "string") {
      diagnostics.push(...textProblems(manifest, path, value));
    } else if (typeof value === "object" && value !== null) {
      const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
      for (const [key, item] of entries) {
        path.push(key);
        if (typeof key === "string") diagnostics.push(...keyProblems(manifest, path, key));
        visit(item);
        path.pop();
      }
    }
  };
  visit(manifest.value);
  return diagnostics;
}

function textProblems(manifest: LoadedManifest, path: ManifestPath, text: string): Diagnostic[] {
  const secret = holdsKnownSecret(text) ? [secretProblem(manifest, path)] : [];
  if (!isSuspicious(text)) return secret;
  const place = manifest.locate(path, "value");
  const what = subjectOf(path);
  const where = (character: string) => whereInSource(manifest, place, character);
  if (text.includes("\0")) return [nulCharacter(place, { what, where: where("\0") })];
  const surrogate = SURROGATE.exec(text)?.[0];
  if (surrogate !== undefined) return [unpairedSurrogate(place, { what, where: where(surrogate) })];
  const warn = (make: typeof hiddenText, pattern: RegExp): Diagnostic[] => {
    const found = (text.match(pattern) ?? []).flatMap((run) => [...run]);
    const [first] = found;
    if (first === undefined) return [];
    return [make(place, { what, characters: codePoints(found), where: where(first) })];
  };
  return [...secret, ...warn(bidirectionalText, BIDIRECTIONAL), ...warn(hiddenText, HIDDEN)];
}

function secretProblem(manifest: LoadedManifest, path: ManifestPath): Diagnostic {
  const reason = "it has the form of a well-known service's key";
  return exposedSecret(manifest.locate(path, "value"), { what: subjectOf(path), reason });
}

function keyProblems(manifest: LoadedManifest, path: ManifestPath, key: string): Diagnostic[] {
  if (!isSuspicious(key) && !key.includes("\n")) return [];
  const place = manifest.locate(path, "key");
  const what = "a key";
  const control = CONTROL_CHARACTER.exec(key)?.[0];
  if (control !== undefined) {
    const where = whereInSource(manifest, place, control);
    return [controlCharacter(place, { what, characters: codePoints([control]), where })];
  }
  const surrogate = SURROGATE.exec(key)?.[0];
  if (surrogate !== undefined) {
    return [unpairedSurrogate(place, { what, where: whereInSource(manifest, place, surrogate) })];
  }
  const hidden = [...(key.match(BIDIRECTIONAL) ?? []), ...(key.match(HIDDEN) ?? [])];
  const [first] = hidden;
  if (first === undefined) return [];
  const where = whereInSource(manifest, place, first);
  return [hiddenText(place, { what, characters: codePoints(hidden), where })];
}
