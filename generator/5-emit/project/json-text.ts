import type { JsonValue } from "../../model/json.js";
import { writeString } from "../../text/literal.js";

/** Width of JSON that people read: lists and objects that fit stand on one line. */
export const READABLE_WIDTH = 100;

/**
 * A JSON document with two spaces of indentation and no final newline. Characters that could hide
 * text or act on a terminal are written as escapes.
 *
 * @param width columns within which a list or an object stays on one line; by default each has one
 *   line a member, as npm writes its files
 */
export function jsonText(value: JsonValue, width = 0, indentation = ""): string {
  return new JsonWriter(width).text(value, indentation);
}

class JsonWriter {
  readonly #width: number;
  /** Large documents have the same few keys, many times each. */
  readonly #keys = new Map<string, string>();

  constructor(width: number) {
    this.#width = width;
  }

  text(value: JsonValue, indentation: string): string {
    if (typeof value === "string") return writeString(value);
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    const inner = `${indentation}  `;
    const members: string[] = [];
    if (Array.isArray(value)) {
      for (const item of value) members.push(this.text(item, inner));
      return this.#laidOut(members, "[", "]", indentation);
    }
    for (const name of Object.keys(value)) {
      members.push(this.#key(name) + this.text(value[name] ?? null, inner));
    }
    return this.#laidOut(members, "{ ", " }", indentation);
  }

  #key(name: string): string {
    let key = this.#keys.get(name);
    if (key === undefined) this.#keys.set(name, (key = `${writeString(name)}: `));
    return key;
  }

  #laidOut(members: readonly string[], open: string, close: string, indentation: string): string {
    if (members.length === 0) return open.trim() + close.trim();
    let length = indentation.length;
    for (const member of members) length += member.length + 2;
    // Most lists of a large document are far too long, and joining them to find that out would cost.
    if (length <= this.#width + 2) {
      const line = open + members.join(", ") + close;
      if (indentation.length + line.length <= this.#width && !line.includes("\n")) return line;
    }
    const inner = `\n${indentation}  `;
    return `${open.trim()}${inner}${members.join(`,${inner}`)}\n${indentation}${close.trim()}`;
  }
}
