import type { JsonValue } from "../../model/json.js";
import { writeString } from "../../text/literal.js";

/** Width of JSON that people read: lists and objects that fit stand on one line. */
export const READABLE_WIDTH = 100;

/** A part of a document as it was laid out before, at the same indentation. */
export class LaidOutJson {
  constructor(readonly text: string) {}
}

/**
 * A JSON document with two spaces of indentation and no final newline. Characters that could hide
 * text or act on a terminal are written as escapes.
 *
 * @param width columns within which a list or an object stays on one line; by default each has one
 *   line a member, as npm writes its files
 */
export function jsonText(value: JsonValue, width = 0, indentation = ""): string {
  if (typeof value === "string") return writeString(value);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (value instanceof LaidOutJson) return value.text;
  const inner = `${indentation}  `;
  const isList = Array.isArray(value);
  const members = isList
    ? value.map((item) => jsonText(item, width, inner))
    : Object.entries(value).map(
        ([key, item]) => `${writeString(key)}: ${jsonText(item, width, inner)}`,
      );
  const [open, close, space] = isList ? ["[", "]", ""] : ["{", "}", " "];
  if (members.length === 0) return open + close;
  // Most lists of a large document are far too long, and joining them to find that out would cost.
  const length = members.reduce((sum, member) => sum + member.length + 2, indentation.length);
  const line = length <= width + 2 ? open + space + members.join(", ") + space + close : "\n";
  const fits = indentation.length + line.length <= width && !line.includes("\n");
  return fits ? line : `${open}\n${inner}${members.join(`,\n${inner}`)}\n${indentation}${close}`;
}
