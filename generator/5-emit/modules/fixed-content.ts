import type { JsonValue } from "../../model/json.js";
import type { FixedContentBlock } from "../../model/server-model.js";
import type { TextTemplate } from "../../model/text-template.js";
import { listOf, literalOf, objectOf, type Code } from "../../text/code.js";
import { writeString } from "../../text/literal.js";

/** The literal of a content block. The text of a text block is written as a compiled template. */
export function fixedContent(block: FixedContentBlock): Code {
  if (block.kind === "verbatim") return literalOf(block.block);
  const others = Object.entries(block.rest).map(([key, value]) => [key, literalOf(value)] as const);
  return objectOf([["type", '"text"'], ["text", templateLiteral(block.text)], ...others]);
}

function templateLiteral(template: TextTemplate): Code {
  return listOf(
    template.map((part) =>
      typeof part === "string" ? writeString(part) : literalOf(part as unknown as JsonValue),
    ),
  );
}
