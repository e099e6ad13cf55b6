import type { JsonObject } from "../../../model/json.js";
import type { ManifestElicitations } from "../../../model/manifest.js";

/**
 * What may stand in a slot:
 * - `text`: any text
 * - `key`: a property's name, so without control characters; unlike every other key
 * - `word`: a property's name that is an identifier, which code has without quotes
 * - `choice`: any text that is unlike every other choice
 * - `setting`: a text without two opening braces, which settings refuse where they could be a placeholder
 * - `short`: a choice of at most 6 code units, where types depend on the length of their text
 * - `short key`: a key of at most 6 code units
 * - `name`: part of an item's name, without control characters, at most 100 characters
 * - `uri`: path of a canonical URI, without dots, queries and escapes
 * - `header`: part of the value of a header: Latin-1 without control characters
 * - `quoted`: inside a quoted parameter of a MIME type
 * - `file`: name of a file in the project
 */
export type SlotKind =
  | "text"
  | "key"
  | "word"
  | "choice"
  | "setting"
  | "short"
  | "short key"
  | "name"
  | "uri"
  | "header"
  | "quoted"
  | "file";

/** Gives the string for a slot; each slot has its own name and is asked for once. */
export type FillSlot = (slot: string, kind: SlotKind) => string;

export function icon(slot: string, fill: FillSlot): JsonObject {
  return {
    src: `https://example.com/${fill(`${slot}.src`, "uri")}`,
    mimeType: mimeType(`${slot}.mimeType`, fill),
  };
}

export function meta(slot: string, fill: FillSlot): JsonObject {
  return { "com.example/data": { [fill(`${slot}.key`, "key")]: [fill(`${slot}.value`, "text")] } };
}

/** A form and a page to ask users with, their texts slots. */
export function elicitations(slot: string, fill: FillSlot): ManifestElicitations {
  const field = fill(`${slot}.field`, "key");
  const chosen = fill(`${slot}.enum.0`, "choice");
  return {
    form: {
      message: `${plain(fill(`${slot}.message`, "text"))} {{who}}{{#why}} {{why}}{{/why}}!`,
      requestedSchema: {
        type: "object",
        properties: {
          [field]: {
            type: "string",
            title: fill(`${slot}.title`, "text"),
            description: fill(`${slot}.description`, "text"),
            default: fill(`${slot}.default`, "text"),
          },
          choice: { type: "string", enum: [chosen, fill(`${slot}.enum.1`, "choice")] },
          older: {
            type: "string",
            enum: ["a"],
            enumNames: [fill(`${slot}.enumNames`, "text")],
          },
          titled: {
            type: "array",
            items: {
              anyOf: [
                { const: fill(`${slot}.const`, "choice"), title: fill(`${slot}.choice`, "text") },
              ],
            },
          },
        },
        required: [field],
      },
    },
    page: {
      message: `${plain(fill(`${slot}.page`, "text"))}.`,
      url: `https://example.com/${fill(`${slot}.url`, "uri")}?who={{who}}`,
    },
  };
}

export function mimeType(slot: string, fill: FillSlot): string {
  return `text/plain; note="${fill(slot, "quoted")}"`;
}

/** Text as a template that renders as that text. */
export function plain(text: string): string {
  return text.replaceAll("{{", "{{{{");
}

/** A regular expression that matches the text alone. */
export function regularExpression(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/** Encodes a segment of a JSON pointer for the fragment of a URI. */
export function pointerPart(text: string): string {
  return encodeURIComponent(text.replaceAll("~", "~0").replaceAll("/", "~1"));
}
