import type { ContentBlock } from "@modelcontextprotocol/server";

/** A compiled text with `{{argument}}`. Substituted values are not scanned for arguments. */
export type TextTemplate = readonly TextPart[];
export type TextPart =
  | string
  | { readonly argument: string }
  | { readonly when: string; readonly then: TextTemplate }
  | { readonly unless: string; readonly then: TextTemplate };

/** A content block of the manifest. The text of a text block is a template. */
export type FixedBlock =
  | { readonly type: "text"; readonly text: TextTemplate; readonly [key: string]: unknown }
  | Exclude<ContentBlock, { type: "text" }>;

/** Renders the text of a block with the arguments. */
export function renderBlock(
  block: FixedBlock,
  values: Readonly<Record<string, unknown>>,
  longest: number,
): ContentBlock {
  if (block.type !== "text") return block;
  return { ...block, type: "text", text: renderText(block.text, values, longest) };
}

/**
 * Renders a template. A value that contains `{{…}}` is not changed. An absent argument becomes an empty text,
 * and one that is not text becomes JSON.
 * @param longest The maximum length of the text, in UTF-16 code units.
 * @throws RangeError if the text would be longer
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
  condition: { readonly when: string } | { readonly unless: string },
  values: Readonly<Record<string, unknown>>,
): boolean {
  return "when" in condition
    ? valueOf(values, condition.when) !== undefined
    : valueOf(values, condition.unless) === undefined;
}

function valueOf(values: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function asText(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
