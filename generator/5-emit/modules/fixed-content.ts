import type { JsonValue } from "../../model/json.js";
import type { FixedContentBlock, TextTemplate } from "../../model/server-model.js";
import { writeKey, writeLiteral, writeString } from "../../text/literal.js";
import { arrayLiteral } from "./structures.js";

/** The literal of a content block whose text, if it is a text block, is a compiled template. */
export function fixedContent(block: FixedContentBlock): string {
  if (block.kind === "verbatim") return writeLiteral(block.block);
  const rest = Object.entries(block.rest).map(
    ([key, value]) => `${writeKey(key)}: ${writeLiteral(value)}`,
  );
  return `{ ${['type: "text"', `text: ${templateLiteral(block.text)}`, ...rest].join(", ")} }`;
}

function templateLiteral(template: TextTemplate): string {
  return arrayLiteral(
    template.map((part) =>
      typeof part === "string" ? writeString(part) : writeLiteral(part as unknown as JsonValue),
    ),
  );
}
