import type { JsonObject, JsonValue } from "../../model/json.js";
import type { FixedContentBlock } from "../../model/server-model.js";
import type { TextTemplate } from "../../model/text-template.js";

/**
 * What fixed content must look like for given arguments. Written apart from the runtime's renderer,
 * from the manifest's rules alone, so that each checks the other.
 */
export function expectedBlock(block: FixedContentBlock, values: JsonObject): JsonObject {
  if (block.kind === "verbatim") return block.block;
  return { ...block.rest, type: "text", text: expectedText(block.text, values) };
}

export function expectedText(template: TextTemplate, values: JsonObject): string {
  const given = (name: string): JsonValue | undefined =>
    Object.hasOwn(values, name) ? values[name] : undefined;
  return template
    .map((part) => {
      if (typeof part === "string") return part;
      if ("argument" in part) return argumentText(given(part.argument));
      const isPresent = given("when" in part ? part.when : part.unless) !== undefined;
      return isPresent === "when" in part ? expectedText(part.then, values) : "";
    })
    .join("");
}

function argumentText(value: JsonValue | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
