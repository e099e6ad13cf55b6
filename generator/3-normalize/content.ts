import type { JsonObject } from "../model/json.js";
import type { FixedContentBlock } from "../model/server-model.js";
import { parseTextTemplate } from "../text/text-template.js";

/** A content block of the manifest. The text of a text block is compiled; any other block is unchanged. */
export function normalizeContentBlock(
  block: JsonObject,
  placeholders: ReadonlySet<string>,
): FixedContentBlock {
  if (block["type"] !== "text") return { kind: "verbatim", block };
  const { type: _type, text, ...rest } = block;
  const { template } = parseTextTemplate(String(text), placeholders);
  return { kind: "text", text: template, rest };
}
