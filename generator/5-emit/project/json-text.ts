import type { JsonValue } from "../../model/json.js";
import { writeString } from "../../text/literal.js";

/** Columns of JSON that people read. Lists and objects that fit are written on one line. */
export const READABLE_WIDTH = 100;

/**
 * A JSON document with two spaces of indentation and no final newline. Characters that could hide
 * text or control a terminal are escaped.
 *
 * @param width columns within which a list or an object is written on one line; by default each member has
 *   its own line, as in files that npm writes
 */
export function jsonText(value: JsonValue, width = 0, indentation = ""): string {
  return new JsonWriter(width).text(value, indentation);
}

class JsonWriter {
  readonly #width: number;
  /** Written keys. Large documents have few different keys, many times each. */
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
    // Joining is skipped if it is already clear that the line is too long, as for most lists of a large document.
    if (length <= this.#width + 2) {
      const line = open + members.join(", ") + close;
      if (indentation.length + line.length <= this.#width && !line.includes("\n")) return line;
    }
    const inner = `\n${indentation}  `;
    return `${open.trim()}${inner}${members.join(`,${inner}`)}\n${indentation}${close.trim()}`;
  }
}
