import { wholeFile, type Place } from "../model/place.js";
import { decodeText } from "../text/line-ends.js";
import { placeOf } from "../text/text-place.js";
import type { SourceEditor } from "./source-editor.js";

/** Place and reason of a problem that prevents reading a module of a person. */
export interface UnreadableSource {
  readonly place: Place;
  readonly problem: string;
  /** Text of the module; absent if the problem has no range in it. */
  readonly shownText?: string;
}

/** True if the module of a person can be read. @param path path of the module, for its kind */
export function isReadableSource(path: string, bytes: Uint8Array, editor: SourceEditor): boolean {
  const source = decodeText(bytes);
  return source !== undefined && editor.problemIn(path, source.text) === undefined;
}

/** The problem of a module that cannot be read. @param path path of the file in the diagnostic */
export function unreadableSource(
  path: string,
  bytes: Uint8Array,
  editor: SourceEditor,
): UnreadableSource {
  const source = decodeText(bytes);
  if (source === undefined) return { place: wholeFile(path), problem: "it is no UTF-8 text" };
  const { message, at } = editor.problemIn(path, source.text) ?? { message: "syntax error" };
  if (at === undefined) return { place: wholeFile(path), problem: message };
  return { place: placeOf(path, source.text, at), problem: message, shownText: source.text };
}
