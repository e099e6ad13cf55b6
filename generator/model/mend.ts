import type { JsonValue } from "./json.js";

/**
 * How a finding is mended, where that is certain: an edit of the YAML at the diagnostic's place. `fix/` turns it into
 * changes of the text, and leaves it where the text does not have the form that the edit needs.
 */
export type Mend =
  /** Of a key: another name. With `ifOnly`, only if no other name in the file is as near. */
  | { readonly edit: "rename key"; readonly to: string; readonly ifOnly?: boolean }
  /** Of a key that is a number or the like: quotes. */
  | { readonly edit: "quote key" }
  /** Of a text: another one, in the same quotes. With `ifOnly`, only if no other name in the file is as near. */
  | { readonly edit: "set text"; readonly to: string; readonly ifOnly?: boolean }
  /** Of a value on one line: another one. */
  | { readonly edit: "set value"; readonly to: JsonValue }
  /** Of a value: the text that the source has for it, in quotes. */
  | { readonly edit: "quote" }
  /** Of a text: the number, boolean or list that it says. */
  | { readonly edit: "unquote"; readonly to: JsonValue }
  /** Of a value: a list that has it as its only item. */
  | { readonly edit: "put into list" }
  /** Of a list with one item: this item. */
  | { readonly edit: "take out of list" }
  /** Of a text: the list of its parts. */
  | { readonly edit: "split into list"; readonly items: readonly JsonValue[] }
  /** Of a value: a mapping that has it, or `value`, under a key. */
  | { readonly edit: "put into mapping"; readonly key: string; readonly value?: JsonValue }
  /** To a mapping, or to the one around a key: a key that has only one value here. */
  | { readonly edit: "add key"; readonly key: string; readonly value: JsonValue }
  /** From a list: an item that is there before. */
  | { readonly edit: "remove item" }
  /** From a mapping: an entry that is there before, with the same value. */
  | { readonly edit: "remove entry" }
  /** Of a text, or of its line: a part that is there once. */
  | {
      readonly edit: "replace part";
      readonly from: string;
      readonly to: string;
      readonly ifOnly?: boolean;
    }
  /** Within a text in quotes: the escape of a character. */
  | { readonly edit: "escape character" }
  /** Within double quotes: a backslash that means itself. */
  | { readonly edit: "double backslash" }
  /** At starts of lines and after signs: spaces, in place of what looks like them. */
  | { readonly edit: "use spaces" }
  /** At starts of lines: two spaces for each tab. */
  | { readonly edit: "indent with spaces" }
  /** Of what follows a key or a dash on a line: a text in quotes. */
  | { readonly edit: "quote line" }
  /** Of the tag `!!str`: quotes around what follows. */
  | { readonly edit: "quote tagged" };

export type MendEdit = Mend["edit"];
