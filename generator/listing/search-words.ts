import type { SearchWords } from "../../templates/runtime/search/definition.js";
import { stemsOf } from "../../templates/runtime/search/words.js";
import { isJsonObject } from "../model/json.js";
import type { ToolModel } from "../model/server-model.js";

/**
 * The words by which a search finds a tool. Their weights depend on all tools. The server computes them at the
 * start, so that branches that change different tools merge.
 */
export function searchWords({ name, wire, input }: ToolModel): SearchWords {
  const { title = "", description = "" } = wire;
  const properties = isJsonObject(input.wire) ? input.wire["properties"] : undefined;
  const parameters = isJsonObject(properties) ? Object.keys(properties) : [];
  return {
    heading: stemsOf(`${name} ${String(title)}`).join(" "),
    text: stemsOf(`${String(description)} ${parameters.join(" ")}`).join(" "),
  };
}
