import type { ContentBlock } from "@modelcontextprotocol/server";

/** Compiled `{{argument}}` text: rendered once, left to right; substituted values are never scanned again. */
export type TextTemplate = readonly TextPart[];
export type TextPart =
  | string
  | { readonly argument: string }
  | { readonly when: string; readonly then: TextTemplate }
  | { readonly unless: string; readonly then: TextTemplate };

/** A content block of fixed content; a text block's text is a template. */
export type FixedBlock =
  | { readonly type: "text"; readonly text: TextTemplate; readonly [key: string]: unknown }
  | Exclude<ContentBlock, { type: "text" }>;

/** A block of fixed content with the arguments put into its text. */
export function renderBlock(
  block: FixedBlock,
  values: Readonly<Record<string, unknown>>,
  longest: number,
): ContentBlock {
  if (block.type !== "text") return block;
  return { ...block, type: "text", text: renderText(block.text, values, longest) };
}

/**
 * Renders a template in one pass: a value that holds `{{…}}` stays as it is. An argument that is
 * absent leaves nothing; one that is not text is written as JSON.
 * @param longest Longest text to make, in UTF-16 code units.
 * @throws RangeError when the text would be longer
 */
export function renderText(
  template: TextTemplate,
  values: Readonly<Record<string, unknown>>,
  longest: number,
): string {
  let text = "";
  for (const part of template) {
    if (typeof part === "string") text += part;
    else if ("argument" in part) text += asText(valueOf(values, part.argument));
    else if (isShown(part, values)) text += renderText(part.then, values, longest);
    if (text.length > longest) throw new RangeError(`text longer than ${longest} characters`);
  }
  return text;
}

function isShown(
  section: { readonly when: string } | { readonly unless: string },
  values: Readonly<Record<string, unknown>>,
): boolean {
  return "when" in section
    ? valueOf(values, section.when) !== undefined
    : valueOf(values, section.unless) === undefined;
}

function valueOf(values: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function asText(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
