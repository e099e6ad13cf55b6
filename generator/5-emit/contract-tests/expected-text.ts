import type { JsonObject, JsonValue } from "../../model/json.js";
import type { FixedContentBlock } from "../../model/server-model.js";
import type { TextTemplate } from "../../model/text-template.js";

/**
 * A block of fixed content for these arguments. Written from the manifest's rules, independently of the
 * runtime's renderer, so that each checks the other.
 */
export function expectedBlock(block: FixedContentBlock, values: JsonObject): JsonObject {
  if (block.kind === "verbatim") return block.block;
  return { ...block.rest, type: "text", text: expectedText(block.text, values) };
}

/** A text of the manifest for these arguments. Computed independently of the runtime, like `expectedBlock`. */
export function expectedText(template: TextTemplate, values: JsonObject): string {
  const valueOf = (name: string): JsonValue | undefined =>
    Object.hasOwn(values, name) ? values[name] : undefined;
  return template
    .map((part) => {
      if (typeof part === "string") return part;
      if ("argument" in part) return argumentText(valueOf(part.argument));
      const isPresent = valueOf("when" in part ? part.when : part.unless) !== undefined;
      return isPresent === "when" in part ? expectedText(part.then, values) : "";
    })
    .join("");
}

function argumentText(value: JsonValue | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
